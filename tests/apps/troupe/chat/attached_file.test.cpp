#include "apps/troupe/chat/attached_file.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <stdlib.h>

#include "tests/support/catch.hpp"

namespace attached_file_test {

using namespace troupe;
namespace fs = std::filesystem;

namespace {

class some_files {
public:
  some_files() {
    auto pattern = (fs::temp_directory_path() / "troupe-files-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~some_files() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  std::string make(const std::string& name, std::string_view content) const {
    std::ofstream{folder + '/' + name, std::ios::binary} << content;
    return folder + '/' + name;
  }

  std::string folder;
};

} // namespace

TEST_CASE("texts, images, sounds and PDFs can be attached", "[apps][attached_file]") {
  const some_files files;
  attached_file out;
  REQUIRE_FALSE(read_attached_file(files.make("a b.py", "print(1)\n"), out));
  CHECK(out.name == "a b.py");
  CHECK(out.url == "data:text/plain;base64,cHJpbnQoMSkK");
  CHECK(out.bytes == 9);
  REQUIRE_FALSE(read_attached_file(files.make("x", "\x89PNG\r\n\x1a\n...."), out));
  CHECK(out.media_type == "image/png");
  REQUIRE_FALSE(read_attached_file(files.make("y.txt", "%PDF-1.7\n"), out));
  CHECK(out.media_type == "application/pdf");
  REQUIRE_FALSE(read_attached_file(files.make("z", "ID3\x04\xFF...."), out));
  CHECK(out.media_type == "audio/mpeg");
  REQUIRE_FALSE(read_attached_file(files.make("w", "ID3 is a form of tags"), out));
  CHECK(out.media_type == "text/plain");
}

TEST_CASE("a path is taken as a person types or drops it", "[apps][attached_file]") {
  const some_files files;
  const auto path = files.make("it's.txt", "x");
  attached_file out;
  CHECK_FALSE(read_attached_file("  \"" + path + "\" ", out));
  CHECK_FALSE(read_attached_file('\'' + path + '\'', out));
  CHECK(typed_path(" \t'a b.md' ") == "a b.md");
  CHECK(typed_path("~/a b.md") == std::string{::getenv("HOME")} + "/a b.md");
  CHECK(typed_path("'~/a.md'") == "~/a.md");
  CHECK(typed_path("  ").empty());
}

TEST_CASE("what cannot be attached is told why", "[apps][attached_file]") {
  const some_files files;
  attached_file out;
  const auto fault = [&](const std::string& path) { return read_attached_file(path, out).text(); };
  CHECK_THAT(fault(files.folder + "/none"), Catch::Contains("No such file"));
  CHECK_THAT(fault(files.folder), Catch::Contains("is a folder"));
  CHECK_THAT(fault(files.make("e", "")), Catch::Contains("is empty"));
  CHECK_THAT(fault(files.make("b", std::string_view{"a\0b", 3})), Catch::Contains("no text"));
  CHECK_THAT(fault(files.make("l", "caf\xE9")), Catch::Contains("no text in UTF-8"));
  CHECK_THAT(fault(files.make("w", std::string_view{"\xFF\xFEh\0i\0", 6})),
             Catch::Contains("UTF-16"));
  CHECK_THAT(fault(files.make("big", std::string(most_file_bytes + 1, 'x'))),
             Catch::Contains("32 MiB"));
}

} // namespace attached_file_test
