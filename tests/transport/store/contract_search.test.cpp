// Searches in scripts without spaces, and in a mixture of scripts.
#include <algorithm>

#include "tests/transport/store/search_asks.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_search_test {

using namespace troupe;
using namespace troupe::test;

namespace {

struct question {
  std::string query;
  std::vector<std::string> chats;
};

} // namespace

TEST_CASE("parts of texts without spaces are found", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  keep_all(store);
  const std::vector<question> questions{
      {"数据", {"meeting"}},
      {"数据库", {"meeting"}},
      {"\"迁移方案\"", {"meeting"}},
      {"migration", {"meeting"}},
      {"迁移方案 migration", {"meeting"}},
      {"会", {"meeting"}},
      {"失败", {"error"}},
      {"e2043", {"error"}},
      {"代码E2043", {"error"}},
      {"タワー", {"tokyo"}},
      {"京都", {"tokyo"}},
      {"料", {"tokyo"}},
      {"高さと料金", {"tokyo"}},
      {"nginx", {"script"}},
      {"12台", {"script"}},
      {"后12", {"script"}},
      {"机器", {"script"}},
      {"天气", {"weather"}},
      {"天气*", {"weather"}},
      {"上海 天气", {"weather"}},
      {"weather", {"english"}},
      {"xyz789", {"wide"}},
      {"ＸＹＺ７８９", {"wide"}},
      {"XYZ*", {"wide"}},
      {"データベース", {"narrow"}},
      {"ﾍﾞｰｽ", {"narrow"}},
      {"형태소", {"korean"}},
      {"분석", {"korean"}},
      {"기", {"korean"}},
      {"ภาษา", {"thai"}},
      {"ไทย", {"thai"}},
      {"ខ្មែរ", {"khmer"}},
      {"吉野家", {}},
      {"𠮷野", {"rare"}},
      {"cafe ete", {"accent"}},
      {"がぎ", {}},
      {"ぎを食べ", {"marks"}},
      {"天", {"meeting", "weather"}},
  };
  for (const auto& each : questions) {
    INFO(each.query);
    CHECK(chats_found(store, each.query) == each.chats);
  }
}

TEST_CASE("signs, and letters in all their forms, are found", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  const std::vector<std::pair<const char*, const char*>> texts{
      {"rocket", "ship it 🚀 now"},
      {"mark", "done ✅ and ➡ next"},
      {"family", "meet 👨‍👩‍👧 today"},
      {"joined", "部署成功🎉了"},
      {"only", "👍🏽"},
      {"money", "it costs 5€"},
      {"german", "die Straße"},
      {"ligature", "a ﬁne oﬃce"},
      {"russian", "ещё ёлка"},
      {"vietnamese", "đường phố"},
      {"turkish", "ısparta İzmir"},
      {"hiragana", "らーめんを食べた"},
      {"katakana", "ラーメン屋"},
      {"none", "nothing here"}};
  for (const auto& [chat, text] : texts)
    save(store, saving(chat, {said(role::user, text, "m")}));
  const std::vector<question> questions{
      {"🚀", {"rocket"}},
      {"ship 🚀", {"rocket"}},
      {"\"🚀 now\"", {"rocket"}},
      {"🚀 nothing", {}},
      {"✅", {"mark"}},
      {"➡️", {"mark"}},
      {"➡", {"mark"}},
      {"👨‍👩‍👧", {"family"}},
      {"👩", {"family"}},
      {"👧‍👨", {}},
      {"🎉", {"joined"}},
      {"成功🎉", {"joined"}},
      {"🎉了", {"joined"}},
      {"👍", {"only"}},
      {"👍🏻", {"only"}},
      {"€", {"money"}},
      {"strasse", {"german"}},
      {"STRASSE", {"german"}},
      {"straẞe", {"german"}},
      {"fine office", {"ligature"}},
      {"ﬁn*", {"ligature"}},
      {"еще елка", {"russian"}},
      {"Ещё", {"russian"}},
      {"duong", {"vietnamese"}},
      {"isparta izmir", {"turkish"}},
      {"ラーメン", {"hiragana", "katakana"}},
      {"らーめん", {"hiragana", "katakana"}},
      {"らーめん屋", {"katakana"}},
  };
  for (const auto& each : questions) {
    INFO(each.query);
    CHECK(chats_found(store, each.query) == each.chats);
  }
}

TEST_CASE("the order of characters counts", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  keep_all(store);
  for (const char* query : {"据数", "\"方案迁移\"", "\"库数\"", "气天", "ワタ", "下午开会", "태형",
                            "\"weather the\"", "京タ", "机器12", "gin", "nginx12"}) {
    INFO(query);
    CHECK(chats_found(store, query).empty());
  }
}

TEST_CASE("a character that stands everywhere is found everywhere, newest first",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  std::vector<chat_message> many;
  for (int i = 0; i < 900; ++i) { // more pairs than a search lists
    std::string text = "中";
    text += static_cast<char>(0xE5);
    text += static_cast<char>(0x80 + i / 64);
    text += static_cast<char>(0x80 + i % 64);
    many.push_back(said(role::user, text, std::to_string(i)));
  }
  save(store, saving("a", many));
  for (bool more = true; more;)
    REQUIRE_FALSE(store.tidy(more));
  const auto page = store.search({"", "中", 100, {}});
  CHECK_FALSE(page.error);
  REQUIRE(page.hits.size() == 100);
  CHECK(page.hits[0].message_id == "899");
  CHECK_FALSE(page.next.empty());
}

TEST_CASE("a text is searched beyond a character U+0000", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  save(store, saving("a", {said(role::user, std::string("first\0second", 12), "m1")}));
  CHECK(messages_found(store, "first") == std::vector<std::string>{"a/m1"});
  CHECK(messages_found(store, "second") == std::vector<std::string>{"a/m1"});
  const auto page = store.search({"", "second", 20, {}});
  REQUIRE(page.hits.size() == 1);
  CHECK(page.hits[0].snippet.find("second") != std::string::npos);
}

} // namespace contract_search_test
