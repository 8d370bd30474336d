// Searches in scripts without spaces, and in a mixture of scripts.
#include <algorithm>

#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_search_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Chats with one message each; their ids are the keys.
const std::vector<std::pair<std::string, std::string>> chats{
    {"meeting", "明天下午三点开会，讨论数据库迁移方案 migration"},
    {"error", "登录失败：错误代码E2043，请联系管理员"},
    {"tokyo", "京都タワーの高さと料金を教えて"},
    {"script", "重启worker-nginx后12台机器恢复正常"},
    {"weather", "上海的天气预报怎么看"},
    {"english", "the weather report of Shanghai"},
    {"wide", "型番はＸＹＺ７８９です"},
    {"narrow", "ﾃﾞｰﾀﾍﾞｰｽの設計"},
    {"korean", "한국어 형태소 분석기를 추천해 주세요"},
    {"thai", "ฉันอยากเรียนภาษาไทย"},
    {"khmer", "ភាសាខ្មែរ"},
    {"rare", "𠮷野家で昼ごはん"},
    {"accent", "Le café est fermé à l’été"},
    {"marks", "かき\u3099を食へ\u3099る"},
};

struct question {
  std::string query;
  std::vector<std::string> chats;
};

std::vector<std::string> found(store_connection& store, const std::string& query) {
  auto page = store.search({"", query, 100, {}});
  INFO(query << ' ' << page.error.text());
  CHECK_FALSE(page.error);
  std::vector<std::string> out;
  for (const auto& hit : page.hits) {
    out.push_back(hit.id);
    INFO(hit.snippet);
    CHECK(hit.snippet.find('\2') != std::string::npos);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void keep_all(store_connection& store) {
  for (const auto& [id, text] : chats)
    save(store, saving(id, {said(role::user, text, id)}));
}

} // namespace

TEST_CASE("what was cut off or removed is forgotten in every script", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  keep_all(store);
  CHECK(found(store, "数据").size() == 1);
  save(store, saving("meeting", {}, 0));
  for (const auto& [id, text] : chats) {
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
