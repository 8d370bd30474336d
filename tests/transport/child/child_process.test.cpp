#include "transport/child/child_process.hpp"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/resource.h>

#include "tests/transport/child/child_probe.hpp"
#include "transport/descriptor_limit.hpp"

namespace child_process_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string numbered_lines(size_t bytes) {
  std::string out;
  for (int i = 0; out.size() < bytes; ++i)
    out += std::to_string(i) + " the quick brown fox\n";
  return out;
}

} // namespace

TEST_CASE("a child echoes 3 MB unchanged", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start({{"cat"}, {}, {}});
  const auto text = numbered_lines(3 * 1024 * 1024) + "the end\n";
  child.write(text);
  CHECK((child.wait_for_output("the end\n") == text));
  child.close();
  const auto end = child.wait_for_end();
  CHECK(end.code == 0);
  CHECK(end.signal == 0);
}

TEST_CASE("what was queued before close still reaches the child", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start({{"wc", "-c"}, {}, {}});
  child.write(std::string(1'000'000, 'x'));
  child.close();
  child.wait_for_end();
  CHECK(child.output == "1000000\n");
}

TEST_CASE("a child's exit status and the tail of its stderr are reported",
          "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.shell(
      "echo answer; i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 3");
  const auto end = child.wait_for_end();
  CHECK(end.code == 3);
  CHECK(end.text == "ended with exit status 3");
  CHECK(child.output == "answer\n");
  const auto tail = child.error_tail();
  CHECK(tail.size() == 4096);
  CHECK_THAT(tail, Catch::EndsWith("line 1999\n"));
}

TEST_CASE("the last words of a child arrive before its end", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.shell("head -c 60000 /dev/zero; exit 1");
  CHECK(child.wait_for_end().code == 1);
  CHECK(child.output.size() == 60000);
}

TEST_CASE("a child may open as many descriptors as its parent before it changed its own limit",
          "[transport][child_process]") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const auto fewer = before.rlim_cur - 10;
  CHECK(set_descriptor_limit(0, fewer) == fewer);
  CHECK(set_descriptor_limit(10, SIZE_MAX) == fewer);
  CHECK(set_descriptor_limit(SIZE_MAX, SIZE_MAX) == before.rlim_max);
  CHECK(set_descriptor_limit(0, fewer) == fewer);
  loop home{0};
  child_probe child{home};
  child.shell("ulimit -n");
  child.wait_for_end();
  CHECK(child.output == std::to_string(before.rlim_cur) + "\n");
  CHECK(set_descriptor_limit(before.rlim_cur, before.rlim_cur) == before.rlim_cur);
}

TEST_CASE("a command that does not exist is named in the error", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start({{"no-such-program-at-all"}, {}, {}});
  const auto end = child.wait_for_end();
  CHECK(end.start.code == errc::server_start_failed);
  CHECK(end.start.message == "cannot start 'no-such-program-at-all': No such file or directory");
  CHECK_FALSE(child.started);
}

TEST_CASE("a file that cannot be executed is named in the error", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start({{"/etc/passwd"}, {}, {}});
  const auto end = child.wait_for_end();
  CHECK(end.start.message == "cannot start '/etc/passwd': Permission denied");
  CHECK_FALSE(child.started);
  CHECK(comes_true([] { return !has_children(); }));
}

TEST_CASE("a working folder that does not exist is named in the error",
          "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start({{"cat"}, {}, "/no/such/folder"});
  CHECK(child.wait_for_end().start.message ==
        "cannot start 'cat': folder '/no/such/folder': No such file or directory");
}

TEST_CASE("a child runs in its working folder with its arguments", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start({{"sh", "-c", "pwd; echo \"$1\"", "sh", "a b"}, {}, "/usr"});
  child.wait_for_end();
  CHECK(child.output == "/usr\na b\n");
}

TEST_CASE("a killed child is reported and leaves no zombie", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.shell("echo ready; exec cat");
  child.wait_for_output("ready");
  const auto pid = child.pid();
  REQUIRE(runs(pid));
  ::kill(pid, SIGKILL);
  const auto end = child.wait_for_end();
  CHECK(end.signal == SIGKILL);
  CHECK(end.text == "was ended by signal 9 (SIGKILL)");
  CHECK_FALSE(exists(pid));
}

TEST_CASE("close ends a child that heeds only SIGTERM", "[transport][child_process]") {
  loop home{0};
  child_probe child{home, {20ms, 10s, 10s, 10s}};
  child.shell("echo ready; exec sleep 1000");
  child.wait_for_output("ready");
  child.close();
  CHECK(child.wait_for_end().signal == SIGTERM);
}

TEST_CASE("close kills a child that ignores SIGTERM", "[transport][child_process]") {
  loop home{0};
  child_probe child{home, {20ms, 20ms, 10s, 10s}};
  child.shell("trap '' TERM; echo ready; while :; do sleep 1000; done");
  child.wait_for_output("ready");
  const auto pid = child.pid();
  child.close();
  child.close();
  CHECK(child.wait_for_end().signal == SIGKILL);
  CHECK_FALSE(exists(pid));
  CHECK(child.ends == 1);
}

TEST_CASE("the end of a child is the end of its own children", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.shell("sleep 1000 & echo $!; read line");
  const auto grandchild = std::stoi(child.wait_for_output("\n"));
  REQUIRE(runs(grandchild));
  SECTION("when it exits") {
    child.write("go on\n");
  }
  SECTION("when it is killed") {
    ::kill(child.pid(), SIGKILL);
  }
  SECTION("when it is closed") {
    child.close();
  }
  child.wait_for_end();
  CHECK(comes_true([&] { return !runs(grandchild); }));
}

TEST_CASE("destroying a child kills it and its children, and it is reaped",
          "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.shell("trap '' TERM; sleep 1000 & echo $!; wait");
  const auto grandchild = std::stoi(child.wait_for_output("\n"));
  const auto pid = child.pid();
  child.destroy();
  CHECK(comes_true([&] { return !exists(pid) && !runs(grandchild); }));
  CHECK(child.ends == 0);
}

TEST_CASE("a child may be destroyed after its loop has stopped", "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.shell("trap '' TERM; echo ready; exec cat");
  child.wait_for_output("ready");
  const auto pid = child.pid();
  home.stop();
  child.destroy();
  CHECK_FALSE(exists(pid));
}

TEST_CASE("a loop that stops reaps what was killed just before", "[transport][child_process]") {
  pid_t pid = -1;
  {
    loop home{0};
    child_probe child{home};
    child.shell("echo ready; exec cat");
    pid = child.pid();
    child.destroy();
  }
  CHECK_FALSE(exists(pid));
}

TEST_CASE("a child that closes its stdout is taken for dead", "[transport][child_process]") {
  loop home{0};
  child_probe child{home, {10s, 10s, 10s, 20ms}};
  child.shell("exec 1>&-; exec sleep 1000");
  CHECK(child.wait_for_end().signal == SIGKILL);
}

TEST_CASE("a child that closes its stdin is taken for dead once it is written to",
          "[transport][child_process]") {
  loop home{0};
  child_probe child{home, {10s, 10s, 10s, 20ms}};
  child.shell("exec 0<&-; echo ready; exec sleep 1000");
  child.wait_for_output("ready");
  child.write("hello\n");
  CHECK(child.wait_for_end().signal == SIGKILL);
}

TEST_CASE("a thousand children, started and killed, leave no descriptor and no process",
          "[transport][child_process]") {
  loop home{0};
  {
    child_probe warm{home};
    warm.shell("exit 0");
    warm.wait_for_end();
  }
  const auto before = open_descriptors();
  for (int i = 0; i < 1000; ++i) {
    child_probe child{home};
    child.start({{i % 8 == 7 ? "/etc/passwd" : "cat"}, {}, {}});
    if (i % 2 == 0) {
      const auto pid = child.wait_for_start();
      REQUIRE(pid > 0);
      ::kill(pid, SIGKILL);
      child.wait_for_end();
    } else if (i % 4 == 1) {
      child.wait_for_start();
    } // the others are destroyed while they start, or fail to
  }
  CHECK(comes_true([] { return !has_children(); }));
  CHECK(comes_true([&] { return open_descriptors() == before; }));
}

TEST_CASE("a child sees the small inherited environment and what was configured",
          "[transport][child_process]") {
  ::setenv("TROUPE_TEST_SECRET", "hidden", 1);
  ::setenv("LANG", "C", 1);
  loop home{0};
  child_probe child{home};
  child.start({{"env"}, {{"CONFIGURED", "yes"}, {"LANG", "C.UTF-8"}}, {}});
  child.wait_for_end();
  CHECK_THAT(child.output, Catch::Contains("CONFIGURED=yes\n") && Catch::Contains("PATH=") &&
                               Catch::Contains("LANG=C.UTF-8\n"));
  CHECK_THAT(child.output, !Catch::Contains("TROUPE_TEST_SECRET") && !Catch::Contains("LANG=C\n"));
  ::unsetenv("TROUPE_TEST_SECRET");
}

TEST_CASE("a child has only its three streams and no blocked or ignored signal",
          "[transport][child_process]") {
  loop home{0};
  child_probe child{home};
  child.start(
      {{"sh", "-c", "ls /proc/$$/fd; exec grep -E '^Sig(Blk|Ign)' /proc/self/status"}, {}, {}});
  child.wait_for_end();
  CHECK(child.output == "0\n1\n2\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_CASE("a program is looked up in PATH, not in relative folders", "[transport][child_spawn]") {
  int reason = 0;
  CHECK(find_program("sh", "/nowhere:/bin:/usr/bin", reason) == "/bin/sh");
  CHECK(find_program("sh", "bin::.", reason).empty());
  CHECK(reason == ENOENT);
  CHECK(find_program("passwd", "/etc", reason).empty());
  CHECK(reason == EACCES);
  CHECK(find_program("./tool", "/bin", reason) == "./tool");
}

} // namespace child_process_test
