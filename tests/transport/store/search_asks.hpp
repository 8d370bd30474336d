// Texts to search, and what a search finds of them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/store_asks.hpp"

namespace troupe::test {

/// Chats with one message each; their ids are the keys.
inline const std::vector<std::pair<std::string, std::string>> searched_chats{
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

inline void keep_all(store_connection& store) {
  for (const auto& [id, text] : searched_chats)
    save(store, saving(id, {said(role::user, text, id)}));
}

/// Returns the ids of the chats that a query finds, sorted.
inline std::vector<std::string> chats_found(store_connection& store, const std::string& query) {
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

/// Appends a message of a user to a chat.
inline void keep_text(store_connection& store, const std::string& chat, std::string text,
                      std::string id) {
  auto record = store.load({chat});
  save(store,
       saving(chat, {said(role::user, std::move(text), std::move(id))}, record.history.size()));
}

/// Returns what a query finds, the best first: "CHAT/MESSAGE".
inline std::vector<std::string> messages_found(store_connection& store, const std::string& query,
                                               const std::string& owner = {}) {
  auto page = store.search({owner, query, 20, {}});
  INFO(page.error.text());
  CHECK_FALSE(page.error);
  std::vector<std::string> out;
  for (const auto& hit : page.hits)
    out.push_back(hit.id + "/" + hit.message_id);
  return out;
}

} // namespace troupe::test
