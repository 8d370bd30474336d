#include "apps/engine/http/routes/conversation_removal.hpp"

#include <ctime>
#include <utility>
#include <vector>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "apps/engine/http/response_sink.hpp"
#include "apps/engine/http/routes/conversation_replies.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/glob.hpp"

namespace troupe {

namespace {

constexpr uint32_t page_size = 1000;

/// Lists, then removes one after the other.
///
///     list --more pages--> list --the last one--> remove --until none is left--> answer
struct removal_state {
  static inline const char* name = "troupe.conversation_removal";

  explicit removal_state(caf::event_based_actor* ptr) : self{ptr} {}

  void list(std::string cursor) {
    auto reader = whereis<conversation_reader_actor>(self->system(), conversation_reader_name);
    if (!reader)
      return refuse(store_missing(settings));
    self->request(reader, store_answer_limit, list_conversations{owner, page_size, cursor})
        .then([this](const conversation_page& page) { on_page(page); },
              [this](const caf::error& why) { refuse(store_lost(why)); });
  }

  void on_page(const conversation_page& page) {
    if (page.error)
      return refuse(page.error);
    for (const auto& each : page.conversations)
      if (which.takes(each))
        found.push_back(scoped_id(owner, each.id));
    if (!page.next.empty())
      return list(page.next);
    matched = found.size();
    if (which.only_counts)
      return answer();
    remove();
  }

  void remove() {
    if (found.empty())
      return answer();
    change_conversation what;
    what.session_id = std::move(found.back());
    what.verb = conversation_verb::remove;
    found.pop_back();
    auto changer = spawn_conversation_changer(self->system(), settings);
    self->request(changer, caf::infinite, std::move(what)) // it has deadlines of its own
        .then([this](const info_answer& done) { removed_one(done.error); },
              [this](const caf::error& why) { removed_one(store_lost(why)); });
  }

  /// One that is gone already is no failure; a store that fails is.
  void removed_one(const failure& why) {
    if (why && why.code != errc::conversation_unknown)
      return refuse({why.code, fmt::format("{} ({} of {} conversations were deleted)", why.text(),
                                           removed, matched)});
    removed += why ? 0 : 1;
    remove();
  }

  void answer() {
    response->send(200, {{"content-type", "application/json"}},
                   fmt::format(R"({{"matched":{},"deleted":{}}})", matched, removed));
    self->quit();
  }

  void refuse(const failure& why) {
    send_error(*response, why);
    self->quit();
  }

  caf::event_based_actor* self;
  store_settings settings;
  std::shared_ptr<http_response> response;
  std::string owner;
  removal_filter which;
  std::vector<std::string> found; ///< scoped ids
  size_t matched = 0;
  size_t removed = 0;
};

caf::behavior removal(caf::stateful_actor<removal_state>* self, store_settings settings,
                      std::shared_ptr<http_response> response, std::string owner,
                      removal_filter which) {
  quiet(self);
  auto& state = self->state;
  state.settings = std::move(settings);
  state.response = std::move(response);
  state.owner = std::move(owner);
  state.which = std::move(which);
  caf::actor me{self};
  state.response->watch([me](response_signal what) {
    if (what == response_signal::gone)
      caf::anon_send<caf::message_priority::high>(me, client_signal{what});
  });
  state.list({});
  return {[self](const client_signal&) { self->quit(); }};
}

/// @param day that is_day() takes
int64_t start_of(const std::string& day) {
  std::tm parts{};
  ::strptime(day.c_str(), "%Y-%m-%d", &parts);
  return static_cast<int64_t>(::timegm(&parts)) * 1000;
}

failure read_switch(std::string_view query, std::string_view name, bool& out) {
  const auto text = query_value(query, name);
  out = text == "true";
  if (text.empty() || text == "true" || text == "false")
    return {};
  return {errc::request_invalid, fmt::format("{} must be true or false", name)};
}

} // namespace

bool removal_filter::takes(const conversation_info& which) const {
  return (id.empty() || matches_glob(id, which.id)) &&
         (before_ms == 0 || which.updated_ms < before_ms);
}

failure parse_removal(std::string_view query, removal_filter& out) {
  bool all = false;
  if (auto bad = read_switch(query, "all", all))
    return bad;
  if (auto bad = read_switch(query, "dryRun", out.only_counts))
    return bad;
  out.id = query_value(query, "id");
  const auto before = query_value(query, "before");
  if (!before.empty() && !is_day(before))
    return {errc::request_invalid, "before must be a day like 2026-11-21"};
  if (!before.empty())
    out.before_ms = start_of(before);
  if (all == (out.id.empty() && before.empty()))
    return {};
  return {errc::request_invalid,
          all ? "all=true stands alone; id and before say which"
              : "say which conversations: id=bench-*, before=2026-11-21, or all=true"};
}

void reply_with_removal(http_call& in, removal_filter which) {
  in.system.spawn(removal, in.config.store, std::move(in.response), in.who.owner, std::move(which));
}

} // namespace troupe
