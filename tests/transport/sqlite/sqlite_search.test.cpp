// Searches in scripts without spaces, and in a mixture of scripts.
#include <algorithm>

#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/search_asks.hpp"

namespace sqlite_search_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("what was cut off or removed is forgotten in every script", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  keep_all(store);
  CHECK(chats_found(store, "数据").size() == 1);
  save(store, saving("meeting", {}, 0));
  for (const auto& [id, text] : searched_chats) {
    change_conversation ask;
    ask.session_id = id;
    ask.verb = conversation_verb::remove;
    REQUIRE_FALSE(store.change(ask).error);
  }
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "0");
  // The index has no word left that it would find.
  CHECK(folder.sql("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'search', 'instance');"
                   "SELECT count(*) FROM temp.terms") == "0");
}

} // namespace sqlite_search_test
