// Conversations of an engine as its host program sees them.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "apps/engine/engine.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "tests/support/catch.hpp"

namespace conversations_test {

using namespace troupe;

namespace {

/// A folder that is gone after the test.
struct data_folder {
  data_folder() {
    auto made = (std::filesystem::temp_directory_path() / "troupe-XXXXXX").string();
    if (::mkdtemp(made.data()) == nullptr)
      throw std::runtime_error{"mkdtemp"};
    path = made;
  }
  ~data_folder() { std::filesystem::remove_all(path); }
  std::string path;
};

engine_config config_in(const std::string& folder) {
  engine_config out;
  out.shards = 1;
  out.store.folder = folder;
  return out;
}

conversation with_text(const std::string& id, const std::string& text) {
  conversation out;
  out.info.id = id;
  out.messages.resize(1);
  out.messages[0].message.text = text;
  out.messages[0].message.id = "u1";
  return out;
}

} // namespace

TEST_CASE("the library refuses what the HTTP interface refuses", "[apps][conversations]") {
  data_folder folder;
  engine running{config_in(folder.path)};
  auto& all = running.conversations();
  auto odd = with_text("a", "x");
  odd.messages[0].message.files.push_back({"image/png", "ftp://example.com/a.png"});
  CHECK(all.import(odd).error.code == errc::request_invalid);
  CHECK(all.get({"a"}).error.code == errc::conversation_unknown);
  REQUIRE(!all.import(with_text("a", "x")).error);
  CHECK(all.set_overrides({"a"}, {"no-such-model", false, {}}).error.code == errc::model_unknown);
}

TEST_CASE("what the library changes is there after a restart", "[apps][conversations]") {
  data_folder folder;
  {
    engine first{config_in(folder.path)};
    auto& all = first.conversations();
    CHECK(!all.import(with_text("a", "the weather in Oslo")).error);
    CHECK(!all.import(with_text("a", "a secret"), "alice").error);
    CHECK(all.import(with_text("a", "x")).error.code == errc::conversation_exists);
    CHECK(all.branch({"a"}, {.message_id = "u1", .id = "b"}).info.id == "b");
    CHECK(all.rename({"b"}, "B").info.title == "B");
    CHECK(!all.set_overrides({"b"}, {"demo", false, {}}).error);
    CHECK(!all.remove({"a"}));
  }
  engine second{config_in(folder.path)};
  auto& all = second.conversations();
  auto mine = all.list({}).conversations;
  REQUIRE(mine.size() == 1);
  CHECK(mine[0].id == "b");
  CHECK(mine[0].title == "B");
  list_conversations hers;
  hers.owner = "alice";
  CHECK(all.list(hers).conversations.size() == 1);
  CHECK(all.get({"b"}).found.overrides.model == "demo");
  CHECK(all.get({"a"}).error.code == errc::conversation_unknown);
  search_conversations secret;
  secret.query = "secret";
  CHECK(all.search(secret).hits.empty());
  CHECK(all.usage({}).rows.empty());
}

TEST_CASE("the library refuses what HTTP refuses", "[apps][conversations]") {
  data_folder folder;
  engine one{config_in(folder.path)};
  auto& all = one.conversations();
  auto made = all.import(with_text("a", "x")).info;
  CHECK(all.rename({"a", "", made.version + 1}, "B").error.code == errc::conversation_changed);
  CHECK(all.remove({"a", "", made.version + 1}).code == errc::conversation_changed);
  CHECK(all.rename({"a"}, std::string(1025, 'x')).error.code == errc::request_invalid);
  CHECK(all.rename({"alice\x1f"
                    "a"},
                   "B")
            .error.code == errc::request_invalid);
  CHECK(all.import(with_text("", "x")).error.code == errc::request_invalid);
  CHECK(all.usage({"", "today", ""}).error.code == errc::request_invalid);
  CHECK(!all.remove({"a", "", made.version}));
}

TEST_CASE("the library takes files as the HTTP interface does", "[apps][conversations]") {
  data_folder folder;
  engine one{config_in(folder.path)};
  auto& all = one.conversations();
  const auto file = export_json(with_text("a", "x"));
  CHECK(all.import_file(file).info.id == "a");
  CHECK(all.import_file(file).error.code == errc::conversation_exists);
  CHECK(all.import_file(file, {"b", "alice"}).info.id == "b");
  CHECK(all.get({"b", "alice"}).found.messages.size() == 1);
  CHECK(all.import_file("{}").error.code == errc::request_invalid);
}

TEST_CASE("an engine in memory keeps nothing, and says so", "[apps][conversations]") {
  engine one{config_in("")};
  CHECK(one.conversations().list({}).error.code == errc::capability_missing);
  CHECK(one.conversations().rename({"a"}, "B").error.code == errc::capability_missing);
}

} // namespace conversations_test
