#include "actors/files/file_upload.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "actors/files/file_folder.hpp"
#include "messages/ids.hpp"
#include "tests/support/catch.hpp"

namespace file_upload_test {

using namespace troupe;

namespace {

const std::string png{"\x89PNG\r\n\x1A\n and pixels"};

/// A folder that goes with the test.
struct place {
  place() : path{std::filesystem::temp_directory_path() / make_id("troupe-files-")} {}
  ~place() { std::filesystem::remove_all(path); }

  size_t files() const {
    size_t count = 0;
    for (const auto& each : std::filesystem::directory_iterator{path})
      count += each.is_regular_file() ? 1 : 0;
    return count;
  }

  std::filesystem::path path;
};

begin_file asked(std::string type, std::string filename = {}) {
  begin_file out;
  out.owner = "alice";
  out.content_type = std::move(type);
  out.filename = std::move(filename);
  out.flow = std::make_shared<upload_flow>();
  return out;
}

/// Returns what became of an upload with this body, in pieces of so many bytes.
failure upload(file_folder& folder, const begin_file& ask, std::string_view body, stored_file& out,
               const file_limits& limits = {}, size_t piece = 7) {
  file_upload made{folder, ask, limits};
  for (size_t at = 0; at < body.size(); at += piece)
    made.feed(body.substr(at, piece));
  auto bad = made.end(1000);
  out = made.file();
  if (!bad)
    bad = folder.describe(out);
  if (!bad)
    made.keep();
  return bad;
}

std::string form(const std::string& fields) {
  return "--b\r\n" + fields + "--b--\r\n";
}

std::string file_field(const std::string& type, const std::string& bytes,
                       const std::string& name = "a.png") {
  return "Content-Disposition: form-data; name=\"file\"; filename=\"" + name +
         "\"\r\nContent-Type: " + type + "\r\n\r\n" + bytes + "\r\n";
}

} // namespace

TEST_CASE("a raw body and a form are kept alike", "[actors][files]") {
  place on;
  file_folder folder{on.path};
  stored_file raw, posted;
  CHECK_FALSE(upload(folder, asked("image/png", "../../a.png"), png, raw));
  CHECK_FALSE(upload(folder, asked("multipart/form-data; boundary=b"),
                     form("Content-Disposition: form-data; name=\"purpose\"\r\n\r\nvision\r\n--b"
                          "\r\n" +
                          file_field("image/png", png)),
                     posted));
  for (const auto& each : {raw, posted}) {
    std::string bytes;
    CHECK_FALSE(folder.read(each.id, 0, 1000, bytes));
    CHECK(bytes == png);
    CHECK(each.filename == "a.png"); // and no path of the client's
    CHECK(each.media_type == "image/png");
    CHECK(each.bytes == png.size());
  }
  CHECK(raw.purpose == "user_data");
  CHECK(posted.purpose == "vision");
  CHECK(on.files() == 4);
}

TEST_CASE("what is refused leaves nothing behind", "[actors][files]") {
  place on;
  file_folder folder{on.path};
  stored_file out;
  file_limits small;
  small.max_file_bytes = 10;
  const auto is_form = asked("multipart/form-data; boundary=b");
  CHECK(upload(folder, asked("image/png"), png, out, small).code == errc::request_too_large);
  auto announced = asked("image/png");
  announced.announced = 11;
  CHECK(upload(folder, announced, "", out, small).code == errc::request_too_large);
  CHECK(upload(folder, asked("image/png"), "", out).text() == "The file is empty.");
  CHECK(upload(folder, asked("image/png"), "no picture", out).code == errc::request_invalid);
  CHECK(upload(folder, asked("application/pdf"), "<script>", out).code == errc::request_invalid);
  CHECK(upload(folder, asked("no type at all"), "x", out).code == errc::request_invalid);
  CHECK(upload(folder, asked("multipart/form-data"), "x", out).code == errc::request_invalid);
  CHECK(upload(folder, is_form, form(""), out).code == errc::request_invalid);
  const auto field = file_field("text/plain", "x");
  CHECK(upload(folder, is_form, "--b\r\n" + field, out).text() ==
        "The form has no end; it was cut off.");
  CHECK(upload(folder, is_form, form(field + "--b\r\n" + field), out).code ==
        errc::request_invalid);
  CHECK(on.files() == 0);
  CHECK(folder.load().empty());
}

TEST_CASE("an upload that is stopped says so to its connection", "[actors][files]") {
  place on;
  file_folder folder{on.path};
  file_limits small;
  small.max_file_bytes = 10;
  const auto ask = asked("text/plain");
  file_upload made{folder, ask, small};
  made.feed("0123456789");
  CHECK_FALSE(ask.flow->stopped);
  made.feed("x");
  CHECK(ask.flow->stopped);
}

TEST_CASE("the bytes decide what a file is", "[actors][files]") {
  place on;
  file_folder folder{on.path};
  const auto type_of = [&](const std::string& type, const std::string& name,
                           const std::string& bytes) {
    stored_file out;
    CHECK_FALSE(upload(folder, asked(type, name), bytes, out));
    return out.media_type;
  };
  CHECK(type_of("image/jpeg", "a.jpg", png) == "image/png");
  CHECK(type_of("", "", png) == "image/png");
  CHECK(type_of("application/octet-stream", "notes", "some words\n") == "text/plain");
  CHECK(type_of("application/octet-stream", "notes", std::string{"\0\1", 2}) ==
        "application/octet-stream");
  CHECK(type_of("Text/CSV; charset=utf-8", "a.csv", "a,b") == "text/csv");
  CHECK(type_of("application/x-www-form-urlencoded", "a", "x=1") ==
        "application/x-www-form-urlencoded");
}

TEST_CASE("what is kept is there again, and half of an upload is not", "[actors][files]") {
  place on;
  stored_file kept;
  {
    file_folder folder{on.path};
    CHECK_FALSE(upload(folder, asked("text/plain", "a.txt"), "words", kept));
  }
  const auto half = on.path / (make_id(file_id_prefix) + ".bin");
  std::ofstream{half} << "half";
  std::ofstream{on.path / "README"} << "not ours";
  file_folder folder{on.path};
  const auto all = folder.load();
  REQUIRE(all.size() == 1);
  CHECK(all[0].id == kept.id);
  CHECK(all[0].owner == "alice");
  CHECK(all[0].filename == "a.txt");
  CHECK_FALSE(std::filesystem::exists(half));
  CHECK(std::filesystem::exists(on.path / "README"));
}

TEST_CASE("a folder in which others may write is refused", "[actors][files]") {
  place on;
  std::filesystem::create_directory(on.path);
  std::filesystem::permissions(on.path, std::filesystem::perms::all);
  file_folder folder{on.path};
  stored_file out;
  CHECK(upload(folder, asked("text/plain"), "x", out).code == errc::store_failed);
}

} // namespace file_upload_test
