#include "apps/troupe/conversations/listed_chats.hpp"

#include <set>
#include <string_view>
#include <utility>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr uint32_t page_size = 1000;

/// All conversations, in the order in which they were seen.
struct listed_chats {
  std::vector<listed_chat> wanted;
  std::set<std::string, std::less<>> known;
};

/// Adds those of a page. @return whether any of them is new
bool add_page(std::string_view list, const id_filter& wants, listed_chats& out) {
  bool is_new = false;
  for_each_element(list, [&](std::string_view each) {
    std::string_view id, updated, version;
    read_members(each, {{"id", &id}, {"updatedAt", &updated}, {"version", &version}});
    if (auto [added, fresh] = out.known.insert(json_string(id)); fresh) {
      is_new = true;
      if (!wants || wants(*added, static_cast<int64_t>(number_of(updated))))
        out.wanted.push_back({*added, static_cast<uint64_t>(number_of(version))});
    }
    return true;
  });
  return is_new;
}

/// Reads the list from its front. @param whole to its end, else to the first page with nothing new
failure list_once(conversations_backend& all, const id_filter& wants, bool whole,
                  listed_chats& out) {
  std::string cursor;
  bool goes_on = true;
  while (goes_on) {
    auto page = all.list(page_size, cursor);
    if (page.error)
      return page.error;
    json_source source{page.body};
    std::string_view list, next;
    read_members(source.root(), {{"conversations", &list}, {"next", &next}});
    const auto is_new = add_page(list, wants, out);
    cursor = json_string(next);
    goes_on = !cursor.empty() && (whole || is_new);
  }
  return {};
}

} // namespace

failure list_chats(conversations_backend& all, const id_filter& wants,
                   std::vector<listed_chat>& out) {
  constexpr int most = 100; // on a server that makes chats all the time
  listed_chats found;
  size_t before = 0;
  for (int i = 0; i < most && (i == 0 || found.known.size() > before); ++i) {
    before = found.known.size();
    if (auto bad = list_once(all, wants, i == 0, found))
      return bad;
  }
  out = std::move(found.wanted);
  return {};
}

} // namespace troupe
