#include "actors/turn/tool_output.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "actors/tool_output/tool_output_store.hpp"
#include "messages/ids.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace tool_output_test {

using namespace troupe;
using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

/// A path below the system's folder for such things; deleted at the end.
class scratch {
public:
  ~scratch() { fs::remove_all(path); }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& each : fs::directory_iterator{path})
      out.push_back(each.path().filename());
    return out;
  }

  const fs::path path = fs::temp_directory_path() / make_id("troupe-test-");
};

std::string content(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

mode_t mode_of(const std::string& path) {
  struct stat about {};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  return about.st_mode & 0777;
}

} // namespace

// -- text ----------------------------------------------------------------------------------------

TEST_CASE("a text that is cut says how much of it is there", "[actors][tool_output]") {
  CHECK(bounded_output("short", 5) == "short");
  CHECK(bounded_output("longer", 5) == "longe\n[cut: the first 5 of 6 bytes]");
  CHECK(bounded_output("ab\xC3\xA9", 3) == "ab\n[cut: the first 2 of 4 bytes]");
}

TEST_CASE("a text that was written to a file names it, and stays within the limit",
          "[actors][tool_output]") {
  std::string head(200, 'x');
  auto text = spilled_output(head, 123456, "/data/tool-1.txt", 200);
  CHECK(text.size() <= 200);
  CHECK(text.size() >= 195);
  CHECK(text.ends_with(" of 123456 bytes; the whole is in the file /data/tool-1.txt]"));
  auto shown = text.find('\n');
  CHECK(text.find(fmt::format("[cut: the first {} of", shown)) == shown + 1);
}

TEST_CASE("a note that has no room is left out, the path first", "[actors][tool_output]") {
  std::string head(100, 'x');
  std::string path(90, 'p');
  auto cut = spilled_output(head, 5000, path, 60);
  CHECK(cut.size() <= 60);
  CHECK(cut.ends_with("of 5000 bytes]"));
  CHECK(spilled_output(head, 5000, path, 10) == std::string(10, 'x'));
  CHECK(spilled_output("a\xC3\xA9", 5000, path, 2) == "a");
}

// -- the folder ----------------------------------------------------------------------------------

TEST_CASE("a result gets a file of its own that only we can read", "[actors][tool_output]") {
  scratch place;
  tool_output_folder folder{(place.path / "deep" / "er").string(), 1000};
  auto first = folder.write("call_1", "one");
  auto second = folder.write("call_1", std::string("t\0o", 3));
  CHECK(content(first) == "one");
  CHECK(content(second) == std::string("t\0o", 3));
  CHECK(first != second);
  CHECK(fs::path{first}.is_absolute());
  CHECK(fs::path{first}.filename().string().starts_with("tool-call_1-"));
  CHECK(fs::path{first}.filename().string().size() >= std::string{"tool-call_1-"}.size() + 24);
  CHECK(mode_of(first) == 0600);
  CHECK(mode_of((place.path / "deep" / "er").string()) == 0700);
}

TEST_CASE("a call's id cannot lead a file elsewhere", "[actors][tool_output]") {
  scratch place;
  tool_output_folder folder{place.path.string(), 1000};
  for (const std::string id : {"../../etc/x", "/etc/x", "a\nb", "", "\xC3\xA9"}) {
    auto path = folder.write(id, "text");
    CHECK(fs::path{path}.parent_path() == place.path);
    CHECK(content(path) == "text");
  }
  auto path = folder.write(std::string(5000, 'x'), "text");
  CHECK(fs::path{path}.filename().string().size() < 100);
}

TEST_CASE("over its bound the folder loses the oldest files, also those of an earlier run",
          "[actors][tool_output]") {
  scratch place;
  std::string first;
  {
    tool_output_folder earlier{place.path.string(), 100};
    first = earlier.write("a", std::string(40, 'a'));
    struct timespec then[2] = {{1000, 0}, {1000, 0}};
    REQUIRE(::utimensat(AT_FDCWD, first.c_str(), then, 0) == 0);
  }
  std::ofstream{place.path / "notes.txt"} << std::string(500, 'n');
  tool_output_folder folder{place.path.string(), 100};
  auto second = folder.write("b", std::string(40, 'b'));
  CHECK(fs::exists(first));
  auto third = folder.write("c", std::string(40, 'c'));
  CHECK_FALSE(fs::exists(first));
  CHECK(fs::exists(second));
  CHECK(folder.write("d", std::string(101, 'd')).empty());
  CHECK(fs::exists(second));
  folder.write("e", std::string(100, 'e'));
  CHECK_FALSE(fs::exists(second));
  CHECK_FALSE(fs::exists(third));
  CHECK(fs::exists(place.path / "notes.txt"));
}

TEST_CASE("a folder that others could write in, or that is none, is not used",
          "[actors][tool_output]") {
  scratch place;
  SECTION("others") {
    fs::create_directory(place.path);
    fs::permissions(place.path, fs::perms::all);
  }
  SECTION("a file") {
    std::ofstream{place.path} << "text";
  }
  SECTION("a link") {
    scratch target;
    fs::create_directory(target.path);
    fs::create_directory_symlink(target.path, place.path);
    tool_output_folder folder{place.path.string(), 100};
    CHECK(folder.write("a", "text").empty());
    CHECK(target.names().empty());
  }
  tool_output_folder folder{place.path.string(), 100};
  CHECK(folder.write("a", "text").empty());
}

TEST_CASE("without a folder nothing is written", "[actors][tool_output]") {
  CHECK(tool_output_folder{"", 100}.write("a", "text").empty());
}

TEST_CASE("a folder that was deleted is made again", "[actors][tool_output]") {
  scratch place;
  tool_output_folder folder{place.path.string(), 100};
  folder.write("a", "text");
  fs::remove_all(place.path);
  CHECK(content(folder.write("b", "more")) == "more");
}

// -- the actor -----------------------------------------------------------------------------------

TEST_CASE_METHOD(deterministic, "the store writes what it is sent and answers the path",
                 "[actors][tool_output]") {
  scratch place;
  tool_output_store_actor store;
  auto owner = make_parent(*this, std::make_shared<std::vector<caf::error>>(),
                           [&](caf::local_actor& parent) {
                             store = spawn_tool_output_store(parent, {place.path.string()});
                           });
  auto path = ask<std::string>(store, std::string{"call_1"}, std::string(1'000'000, 'x'));
  CHECK(content(path) == std::string(1'000'000, 'x'));
  crash(*this, owner);
  self->wait_for(store);
}

} // namespace tool_output_test
