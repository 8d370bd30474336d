#include "actors/files/folder_shelf.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace file_catalog_test {

using namespace troupe;

namespace {

using strings = std::vector<std::string>;

stored_file made(std::string id, std::string owner, uint64_t bytes, int64_t at = 0,
                 int64_t expires = 0) {
  stored_file out;
  out.id = std::move(id);
  out.owner = std::move(owner);
  out.bytes = bytes;
  out.created_at = at;
  out.expires_at = expires;
  return out;
}

strings ids_of(const file_page& page) {
  strings out;
  for (const auto& each : page.files)
    out.push_back(each.id);
  return out;
}

list_files of_owner(std::string owner, uint32_t limit = 10, std::string after = {}) {
  list_files out;
  out.owner = std::move(owner);
  out.limit = limit;
  out.after = std::move(after);
  return out;
}

} // namespace

TEST_CASE("a file of another owner is not there", "[actors][files]") {
  file_catalog all{{}};
  all.add(made("a", "alice", 1));
  CHECK(all.find("alice", "a") != nullptr);
  CHECK(all.find("bob", "a") == nullptr);
  CHECK(all.list(of_owner("bob")).files.empty());
}

TEST_CASE("files are listed in pages, the newest first", "[actors][files]") {
  file_catalog all{{}};
  for (int i = 0; i < 5; ++i)
    all.add(made(std::string(1, static_cast<char>('a' + i)), "", 1, i));
  const auto first = all.list(of_owner("", 2));
  CHECK(ids_of(first) == strings{"e", "d"});
  CHECK(first.has_more);
  const auto rest = all.list(of_owner("", 5, "d"));
  CHECK(ids_of(rest) == strings{"c", "b", "a"});
  CHECK_FALSE(rest.has_more);
  CHECK(all.list(of_owner("", 5, "nothing")).error.code == errc::request_invalid);
  auto oldest = of_owner("", 2);
  oldest.oldest_first = true;
  CHECK(ids_of(all.list(oldest)) == strings{"a", "b"});
}

TEST_CASE("a file expires unless a chat uses it", "[actors][files]") {
  file_catalog all{{}};
  all.add(made("a", "", 1, 0, 100));
  all.add(made("b", "", 1, 0, 100));
  all.add(made("c", "", 1, 0, 0));
  CHECK(all.use("a", "chat"));
  CHECK_FALSE(all.use("a", "chat"));
  CHECK(all.expired(99).empty());
  CHECK(all.expired(100) == strings{"b"});
}

TEST_CASE("a chat that is gone frees the files that only it has used", "[actors][files]") {
  file_catalog all{{}};
  all.add(made("a", "", 1));
  all.add(made("b", "", 1));
  all.use("a", "one");
  all.use("b", "one");
  CHECK(all.copy_chat("one", "two") == strings{"a", "b"});
  all.use("a", "three");
  CHECK(all.forget_chat("two").changed == strings{"a", "b"});
  const auto freed = all.forget_chat("one");
  CHECK(freed.unused == strings{"b"});
  CHECK(freed.changed == strings{"a"});
  CHECK(all.forget_chat("one").unused.empty());
  all.remove("a");
  CHECK(all.forget_chat("three").unused.empty());
}

TEST_CASE("files of a chat that is lost expire by then, unless others use them",
          "[actors][files]") {
  file_catalog all{{}};
  for (const auto& each :
       {made("a", "alice", 1), made("b", "alice", 1), made("early", "alice", 1, 0, 150)})
    all.add(each);
  for (const auto* id : {"a", "b", "early"})
    all.use(id, "one");
  all.use("a", "two");
  auto changed = all.orphan_files("one", 100, 200);
  std::ranges::sort(changed);
  CHECK(changed == strings{"a", "b", "early"});
  CHECK(all.find("a")->expires_at == 0);
  CHECK(all.find("b")->expires_at == 200);
  CHECK(all.find("early")->expires_at == 150);
  CHECK(all.expired(200) == strings{"b", "early"});
  all.use("b", "one"); // it is there again
  CHECK(all.expired(200) == strings{"early"});
  CHECK(all.orphan_files("none", 100, 200).empty());
}

TEST_CASE("the quota counts what an owner has", "[actors][files]") {
  file_limits limits;
  limits.max_owner_bytes = 100;
  file_catalog all{limits};
  all.add(made("a", "alice", 60));
  CHECK_FALSE(all.quota_fault("alice", 40));
  CHECK(all.quota_fault("alice", 41).code == errc::quota_used_up);
  CHECK_FALSE(all.quota_fault("bob", 100));
  all.remove("a");
  CHECK_FALSE(all.quota_fault("alice", 100));
}

} // namespace file_catalog_test
