#include "tests/transport/store/store_kinds.hpp"

namespace contract_settings_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("settings are kept, listed by prefix and removed", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  REQUIRE_FALSE(store.put(setting{"mcpServers/b", "{}"}));
  REQUIRE_FALSE(store.put(setting{"mcpServers/a", "1"}));
  REQUIRE_FALSE(store.put(setting{"other", "2"}));
  REQUIRE_FALSE(store.put(setting{"mcpServers/a", "3"}));
  auto list = tested->open().settings({"mcpServers/"});
  REQUIRE(list.settings.size() == 2);
  CHECK(list.settings[0].key == "mcpServers/a");
  CHECK(list.settings[0].value == "3");
  REQUIRE_FALSE(tested->store->put(setting{"mcpServers/a", {}}));
  CHECK(tested->store->settings({"mcpServers/"}).settings.size() == 1);
  CHECK(tested->store->settings({}).settings.size() == 2);
  CHECK(tested->store->settings({"%"}).settings.empty());
}

TEST_CASE("keys are kept, changed and listed", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  api_key key{"k1", "eve", "laptop", "00ff", true, 60, 4, 11, 0};
  REQUIRE_FALSE(store.put(key));
  REQUIRE_FALSE(store.put(api_key{"k2", "adam", "", "11", false, 0, 0, 10, 0}));
  auto keys = tested->open().keys({}).keys;
  REQUIRE(keys.size() == 2);
  CHECK(keys[0].id == "k2");
  CHECK(to_json(keys[1]) == to_json(key));
  key.revoked_ms = 12;
  REQUIRE_FALSE(tested->store->put(key));
  CHECK(tested->store->keys({}).keys.size() == 1);
  CHECK(to_json(tested->store->keys({true}).keys[1]) == to_json(key));
}

TEST_CASE("a change of a key is seen by other connections", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  const auto beside = tested->another();
  const auto before = beside->keys_version();
  CHECK(beside->keys_version() == before);
  REQUIRE_FALSE(store.put(api_key{"k1", "eve", "", "00", false, 0, 0, 1, 0}));
  CHECK(beside->keys_version() != before);
  CHECK(beside->keys({}).keys.size() == 1);
}

} // namespace contract_settings_test
