// What only a search in PostgreSQL does; what each store finds is in tests/transport/store.
#include <string>
#include <vector>

#include "tests/transport/postgres/postgres_fixture.hpp"
#include "tests/transport/store/change_asks.hpp"

namespace postgres_search_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("words are found where they stand in a row, also behind many others",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  std::string text;
  for (int i = 0; i < 6000; ++i) // a tsvector would have lost the places of these
    text += "so it is ";
  save(store, saving("a", {said(role::user, text + "that the end comes")}));
  save(store, saving("b", {said(role::user, "comes the end")}));
  const auto found = [&](const char* query) {
    std::vector<std::string> out;
    for (const auto& hit : store.search({"", query, 10, {}}).hits)
      out.push_back(hit.id);
    return out;
  };
  CHECK(found("\"end comes\"") == std::vector<std::string>{"a"});
  CHECK(found("\"comes the end\"") == std::vector<std::string>{"b"});
  CHECK(found("com*") == std::vector<std::string>{"b", "a"});
  CHECK(found("\"so is\"").empty());
}

TEST_CASE("words of any length and with any sign are kept and looked for",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, std::string(5000, 'x') + " it's a\\b #1")}));
  CHECK(store.search({"", "xxx*", 10, {}}).hits.size() == 1);
  CHECK(store.search({"", std::string(1000, 'x') + "*", 10, {}}).hits.size() == 1);
  CHECK(store.search({"", "it's", 10, {}}).hits.size() == 1);
  CHECK(store.search({"", "a\\b", 10, {}}).hits.size() == 1);
  CHECK(store.search({"", "' | 'x", 10, {}}).hits.empty());
}

TEST_CASE("a search that looks into very many texts comes in parts", "[transport][postgres]") {
  constexpr size_t most_texts = 8192;
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("old", {said(role::user, "the end comes")}));
  save(store, saving("new", std::vector<chat_message>(most_texts, said(role::user, "end the"))));
  search_conversations ask{"", "\"the end\"", 20, {}};
  auto page = store.search(ask);
  CHECK(page.hits.empty());
  REQUIRE_FALSE(page.next.empty());
  while (page.hits.empty() && !page.next.empty()) { // once, or more often on a slow machine
    CHECK_FALSE(page.error);
    REQUIRE(page.next != ask.cursor);
    ask.cursor = page.next;
    page = store.search(ask);
  }
  REQUIRE(page.hits.size() == 1);
  CHECK(page.hits[0].id == "old");
  CHECK(page.next.empty());
}

TEST_CASE("texts in the index of an earlier version are indexed by the new words",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& first = folder.open();
  std::vector<chat_message> many(150, said(role::user, "it is 🚀")); // more than one piece
  save(first, saving("long", many));
  save(first, saving("sign", {said(role::user, "🎉")})); // had no words at all
  save(first, saving("street", {said(role::user, "in der Straße")}));
  folder.sql("DELETE FROM search_rows WHERE conversation IN (SELECT id FROM conversations "
             "WHERE convert_from(name, 'UTF8') = 'sign')");
  folder.sql("UPDATE search_rows SET words = $$'#1' 'der' 'straße'$$::tsvector");
  folder.sql("DROP TABLE search_upkeep");
  folder.sql("UPDATE about SET version = 6");
  auto& store = folder.open();
  const auto found = [&](const char* query) {
    return store.search({"", query, 100, {}}).hits.size();
  };
  CHECK(found("der") == 1);
  CHECK(found("strasse") == 0);
  auto other = folder.another();
  for (bool more = true; more;)
    REQUIRE_FALSE(other->tidy(more));
  CHECK(found("strasse") == 1);
  CHECK(found("🚀") == 100); // a page
  CHECK(found("🎉") == 1);
  CHECK(found("der") == 1);
  bool more = true;
  REQUIRE_FALSE(store.tidy(more));
  CHECK_FALSE(more);
}

} // namespace postgres_search_test
