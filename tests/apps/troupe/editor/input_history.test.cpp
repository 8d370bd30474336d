#include "apps/troupe/editor/input_history.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <stdlib.h>
#include <sys/stat.h>

#include "tests/support/catch.hpp"

namespace input_history_test {

using namespace troupe;
namespace fs = std::filesystem;

namespace {

/// A file in a folder that is gone after the test.
class history_file {
public:
  history_file() {
    auto pattern = (fs::temp_directory_path() / "troupe-history-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path = folder_ + "/state/troupe/chat_history";
  }
  ~history_file() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  unsigned mode(const std::string& of) const {
    struct stat found {};
    return ::stat(of.c_str(), &found) == 0 ? found.st_mode & 0777U : 0;
  }

  void write(std::string_view text) const {
    fs::create_directories(fs::path{path}.parent_path());
    std::ofstream{path} << text;
  }

  std::string path;

private:
  std::string folder_;
};

} // namespace

TEST_CASE("what was typed is there in the next run, lines and all", "[apps][input_history]") {
  history_file file;
  {
    input_history first{file.path};
    CHECK(first.add("if a:\n  \"b\"\t\\"));
    CHECK(first.add("second"));
    CHECK_FALSE(first.add("second"));
    CHECK_FALSE(first.add(""));
    CHECK(first.fault().empty());
  }
  const input_history later{file.path};
  REQUIRE(later.messages().size() == 2);
  CHECK(later.messages()[0] == "if a:\n  \"b\"\t\\");
  CHECK(later.messages()[1] == "second");
}

TEST_CASE("the history is for its owner's eyes", "[apps][input_history]") {
  history_file file;
  input_history{file.path}.add("secret");
  CHECK(file.mode(file.path) == 0600);
  CHECK(file.mode(fs::path{file.path}.parent_path()) == 0700);
  fs::permissions(file.path, fs::perms::others_read, fs::perm_options::add);
  input_history{file.path}.add("more");
  CHECK(file.mode(file.path) == 0600);
}

TEST_CASE("a link in place of the history is not followed", "[apps][input_history]") {
  history_file file;
  file.write("");
  fs::remove(file.path);
  fs::create_symlink("elsewhere", file.path);
  input_history history{file.path};
  CHECK_FALSE(history.fault().empty());
  CHECK(history.add("x"));
  CHECK_FALSE(fs::exists(fs::path{file.path}.parent_path() / "elsewhere"));
}

TEST_CASE("a line that was cut costs that line alone", "[apps][input_history]") {
  history_file file;
  file.write("\"one\"\n\"tw\n\n\"three\"\n17\n");
  const input_history history{file.path};
  REQUIRE(history.messages().size() == 2);
  CHECK(history.messages()[1] == "three");
}

TEST_CASE("a long history is shortened to its end", "[apps][input_history]") {
  history_file file;
  std::string text;
  for (int i = 0; i <= 2000; ++i)
    text += '"' + std::to_string(i) + "\"\n";
  file.write(text);
  CHECK(input_history{file.path}.messages().back() == "2000");
  const input_history again{file.path};
  CHECK(again.messages().size() == input_history::most_messages);
  CHECK(again.messages().front() == "1001");
  CHECK(fs::file_size(file.path) < text.size());
  CHECK(file.mode(file.path) == 0600);
}

TEST_CASE("without a file nothing is written", "[apps][input_history]") {
  input_history history{""};
  CHECK(history.add("x"));
  CHECK(history.messages().size() == 1);
  CHECK(history.fault().empty());
}

} // namespace input_history_test
