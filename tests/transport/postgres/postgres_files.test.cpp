// Uploaded files in PostgreSQL.
#include "transport/postgres/postgres_files.hpp"

#include <string>
#include <vector>

#include "tests/transport/postgres/kept_files.hpp"

namespace postgres_files_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr auto piece = postgres_files::piece_bytes;

std::vector<std::string> ids_of(const file_page& page) {
  CHECK_FALSE(page.error);
  std::vector<std::string> out;
  for (const auto& each : page.files)
    out.push_back(each.id);
  return out;
}

} // namespace

TEST_CASE("a file comes back as it was put, in any part of it", "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  const auto bytes = many_bytes(2 * piece + 5);
  const auto kept = keep(files, file_of("eve"), bytes);
  stored_file found;
  REQUIRE_FALSE(files.find("eve", kept.id, found));
  CHECK(to_json(found) == to_json(kept));
  for (const auto& [from, most] : std::vector<std::pair<size_t, size_t>>{{0, bytes.size()},
                                                                         {0, 10},
                                                                         {piece - 3, 6},
                                                                         {piece, piece},
                                                                         {2 * piece + 1, 100},
                                                                         {7, 0}}) {
    std::string out = "before ";
    REQUIRE_FALSE(files.read(kept.id, from, most, out));
    CHECK((out == "before " + bytes.substr(from, most)));
  }
  const auto whole = keep(files, file_of("eve"), many_bytes(20 * piece));
  std::string out;
  REQUIRE_FALSE(files.read(whole.id, 0, whole.bytes, out));
  CHECK((out == many_bytes(20 * piece)));
}

TEST_CASE("a file is its owner's, and nobody's before it is kept", "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  const auto kept = keep(files, file_of("eve"), "x");
  stored_file found;
  CHECK(files.find("adam", kept.id, found).code == errc::file_unknown);
  const auto half = file_of("eve");
  failure why;
  const auto writer = files.create(half.id, why);
  REQUIRE_FALSE(writer->write(many_bytes(piece + 1)));
  CHECK(files.find("eve", half.id, found).code == errc::file_unknown);
  uint64_t held = 0;
  REQUIRE_FALSE(files.held("eve", held));
  CHECK(held == 1);
  REQUIRE_FALSE(files.remove(half.id));
  REQUIRE_FALSE(files.remove(kept.id));
  CHECK(files.find("eve", kept.id, found).code == errc::file_unknown);
  CHECK(on.count("SELECT count(*) FROM file_pieces") == 0);
  CHECK(on.count("SELECT count(*) FROM file_uploads") == 0);
}

TEST_CASE("files are listed in both directions, page by page", "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  std::vector<std::string> all;
  for (int64_t i = 0; i < 5; ++i)
    all.push_back(keep(files, file_of("eve", 100 + i), "x").id);
  auto other = file_of("eve", 90);
  other.purpose = "user_data";
  keep(files, other, "x");
  keep(files, file_of("adam"), "x");
  const auto page = [&](const std::string& after, bool oldest_first) {
    return files.list({"eve", "vision", after, 2, oldest_first});
  };
  CHECK(ids_of(page({}, true)) == std::vector{all[0], all[1]});
  CHECK(page({}, true).has_more);
  CHECK(ids_of(page(all[1], true)) == std::vector{all[2], all[3]});
  CHECK(ids_of(page(all[3], true)) == std::vector{all[4]});
  CHECK_FALSE(page(all[3], true).has_more);
  CHECK(ids_of(page({}, false)) == std::vector{all[4], all[3]});
  CHECK(ids_of(page(all[3], false)) == std::vector{all[2], all[1]});
  CHECK(page("file-no", false).error.code == errc::request_invalid);
  CHECK(files.list({"eve", {}, {}, 100, false}).files.size() == 6);
}

TEST_CASE("files that no chat uses expire, and uploads without an end go a day later",
          "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  auto ask = file_of("eve");
  ask.expires_at = 200;
  const auto old = keep(files, ask, "x");
  ask = file_of("eve");
  ask.expires_at = 200;
  const auto used = keep(files, ask, "x");
  files.use(used.id, "a");
  failure why;
  REQUIRE_FALSE(files.create(file_of("eve").id, why)->write(many_bytes(piece)));
  files.sweep(200);
  stored_file found;
  CHECK(files.find("eve", old.id, found).code == errc::file_unknown);
  CHECK_FALSE(files.find("eve", used.id, found));
  CHECK(on.count("SELECT count(*) FROM files WHERE expires > 0") == 0); // none is looked at again
  CHECK(on.count("SELECT count(*) FROM file_pieces") == 2);
  store_time() += int64_t{25} * 3600 * 1000;
  files.sweep(200);
  CHECK(on.count("SELECT count(*) FROM file_pieces") == 1);
  CHECK(on.count("SELECT count(*) FROM file_uploads") == 0);
}

TEST_CASE("files whose time is over go piece by piece", "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  auto ask = file_of("eve");
  ask.expires_at = 200;
  for (int i = 0; i < 20; ++i) {
    ask.id = make_id(file_id_prefix);
    keep(files, ask, "x");
  }
  CHECK(files.sweep(200));
  CHECK(on.count("SELECT count(*) FROM files") == 4);
  CHECK_FALSE(files.sweep(200));
  CHECK(on.count("SELECT count(*) FROM files") == 0);
  CHECK(on.count("SELECT count(*) FROM file_pieces") == 0);
}

TEST_CASE("an upload that was given up is not kept without its beginning",
          "[transport][postgres]") {
  const opened_files on;
  auto& files = *on;
  auto file = file_of("eve");
  file.bytes = 2 * piece;
  file.chats = {"a"};
  failure why;
  const auto writer = files.create(file.id, why);
  REQUIRE_FALSE(writer->write(many_bytes(piece)));
  store_time() += int64_t{25} * 3600 * 1000;
  files.sweep(200);
  REQUIRE_FALSE(writer->write(many_bytes(piece)));
  CHECK(files.keep(file).code == errc::file_unknown);
  stored_file found;
  CHECK(files.find("eve", file.id, found).code == errc::file_unknown);
  CHECK(on.count("SELECT count(*) FROM file_uses") == 0);
}

} // namespace postgres_files_test
