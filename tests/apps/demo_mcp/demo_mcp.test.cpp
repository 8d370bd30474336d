// Talks to the real troupe-demo-mcp, which is built into the folder of this test.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.hpp"

namespace demo_mcp_test {

namespace {

/// The server as a child process. Reads give up after ten seconds.
class demo {
public:
  explicit demo(std::vector<std::string> arguments = {}) {
    const auto program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "troupe-demo-mcp";
    INFO(program.string());
    REQUIRE(std::filesystem::exists(program));
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE(::pipe(in.data()) == 0);
    REQUIRE(::pipe(out.data()) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    for (int each : {in[0], in[1], out[0], out[1]})
      posix_spawn_file_actions_addclose(&actions, each);
    auto path = program.string();
    std::vector<char*> argv{path.data()};
    for (auto& each : arguments)
      argv.push_back(each.data());
    argv.push_back(nullptr);
    const auto failed =
        ::posix_spawn(&child_, path.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
    REQUIRE(failed == 0);
  }

  ~demo() {
    close_input();
    ::close(from_);
    if (child_ > 0)
      ::waitpid(child_, nullptr, 0);
  }
  demo(const demo&) = delete;
  demo& operator=(const demo&) = delete;

  void send(std::string line) {
    line += '\n';
    REQUIRE(::write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
  }

  void request(std::string_view id, std::string_view method, std::string_view params = "{}") {
    send(R"({"jsonrpc":"2.0","id":)" + std::string{id} + R"(,"method":")" + std::string{method} +
         R"(","params":)" + std::string{params} + "}");
  }

  void call(std::string_view id, std::string_view tool, std::string_view arguments = "{}") {
    request(id, "tools/call",
            R"({"name":")" + std::string{tool} + R"(","arguments":)" + std::string{arguments} +
                R"(,"_meta":{"progressToken":)" + std::string{id} + "}}");
  }

  /// Returns the next line, "" at the end or when none comes.
  std::string line() {
    while (input_.find('\n') == std::string::npos) {
      pollfd ready{from_, POLLIN, 0};
      std::array<char, 4096> chunk{};
      if (::poll(&ready, 1, 10'000) <= 0)
        return {};
      const auto count = ::read(from_, chunk.data(), chunk.size());
      if (count <= 0)
        return {};
      input_.append(chunk.data(), static_cast<size_t>(count));
    }
    const auto end = input_.find('\n');
    auto out = input_.substr(0, end);
    input_.erase(0, end + 1);
    return out;
  }

  void start() {
    request("0", "initialize", R"({"protocolVersion":"2025-06-18"})");
    REQUIRE(line().find("2025-06-18") != std::string::npos);
  }

  void close_input() {
    if (to_ >= 0)
      ::close(to_);
    to_ = -1;
  }

  /// Waits for the end and returns the exit code, -1 for a signal.
  int exit_code() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

private:
  pid_t child_ = 0;
  int to_ = -1;
  int from_ = -1;
  std::string input_;
};

bool holds(const std::string& text, std::string_view part) {
  UNSCOPED_INFO(text);
  return text.find(part) != std::string::npos;
}

/// A file name of this test's own; the file is gone at the end.
struct scratch_file {
  std::filesystem::path path;

  scratch_file() {
    auto pattern = (std::filesystem::temp_directory_path() / "troupe-demo-XXXXXX").string();
    const int made = ::mkstemp(pattern.data());
    REQUIRE(made >= 0);
    ::close(made);
    path = pattern;
  }
  ~scratch_file() { std::filesystem::remove(path); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  std::string content() const {
    std::ostringstream out;
    out << std::ifstream{path}.rdbuf();
    return out.str();
  }
};

} // namespace

TEST_CASE("the demo server answers the client's revision if it knows it", "[apps][demo_mcp]") {
  demo server;
  server.request("1", "initialize", R"({"protocolVersion":"2024-11-05"})");
  CHECK(holds(server.line(), R"("protocolVersion":"2024-11-05")"));
  server.request("2", "initialize", R"({"protocolVersion":"1999-01-01"})");
  CHECK(holds(server.line(), R"("protocolVersion":"2025-11-25")"));
}

TEST_CASE("the demo server wants to be initialized first, but answers a ping", "[apps][demo_mcp]") {
  demo server;
  server.request("1", "tools/list");
  CHECK(holds(server.line(), "-32600"));
  server.request("\"p\"", "ping");
  CHECK(holds(server.line(), R"("id":"p")"));
}

TEST_CASE("the demo tools answer", "[apps][demo_mcp]") {
  demo server;
  server.start();
  server.call("1", "echo", R"({"message":"a \"b\""})");
  CHECK(holds(server.line(), R"("text":"Echo: a \"b\"")"));
  server.call("2", "get-sum", R"({"a":2,"b":3})");
  CHECK(holds(server.line(), "The sum of 2 and 3 is 5."));
  server.call("3", "get-sum", R"({"a":"2"})");
  CHECK(holds(server.line(), R"("isError":true)"));
  server.call("4", "fail", R"({"message":"no"})");
  CHECK(holds(server.line(), R"([{"type":"text","text":"no"}],"isError":true)"));
  server.call("5", "big", R"({"bytes":300000})");
  CHECK(holds(server.line(), std::string(300'000, 'x') + "\""));
  server.call("6", "nothing");
  CHECK(holds(server.line(), "-32602"));
}

TEST_CASE("progress comes with the request's token, before the result", "[apps][demo_mcp]") {
  demo server;
  server.start();
  server.call("7", "progress", R"({"steps":2,"milliseconds":1})");
  CHECK(holds(server.line(), R"({"progressToken":7,"progress":1,"total":2)"));
  CHECK(holds(server.line(), R"({"progressToken":7,"progress":2,"total":2)"));
  CHECK(holds(server.line(), R"("id":7)"));
}

TEST_CASE("a cancelled call is never answered, and the log shows who cancelled it",
          "[apps][demo_mcp]") {
  const scratch_file log;
  demo server{{"--log", log.path.string()}};
  server.start();
  server.call("1", "hang");
  server.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sleep",)"
              R"("arguments":{"milliseconds":20}}})"
              "\n" // one write: the call cannot end before it is cancelled
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  server.call("3", "sleep", R"({"milliseconds":40})");
  CHECK(holds(server.line(), R"("id":3)"));
  server.close_input();
  CHECK(server.line().empty());
  CHECK(server.exit_code() == 0);
  CHECK(holds(log.content(), R"("method":"notifications/cancelled","params":{"requestId":2}})"
                             "\n"));
}

TEST_CASE("the demo server ends with 0 at the end of its input and with 1 when told to crash",
          "[apps][demo_mcp]") {
  demo idle;
  idle.close_input();
  CHECK(idle.exit_code() == 0);
  demo crashing;
  crashing.start();
  crashing.call("1", "crash");
  CHECK(crashing.exit_code() == 1);
}

TEST_CASE("tools/list comes in pages where the environment says so", "[apps][demo_mcp]") {
  ::setenv("TROUPE_DEMO_PAGE", "5", 1);
  demo server;
  ::unsetenv("TROUPE_DEMO_PAGE");
  server.start();
  server.request("1", "tools/list");
  const auto first = server.line();
  CHECK(holds(first, R"("name":"echo")"));
  CHECK_FALSE(first.find(R"("name":"big")") != std::string::npos);
  CHECK(holds(first, R"("nextCursor":"tool-5")"));
  server.request("2", "tools/list", R"({"cursor":"tool-5"})");
  const auto second = server.line();
  CHECK(holds(second, R"("name":"big")"));
  CHECK(second.find("nextCursor") == std::string::npos);
  server.request("3", "tools/list", R"({"cursor":"tool-99"})");
  CHECK(holds(server.line(), "-32602"));
}

} // namespace demo_mcp_test
