#include "apps/engine/http/routes/conversations/conversation_removal.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>
#include <vector>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/routes/conversations/conversation_replies.hpp"
#include "apps/engine/http/routes/conversations/conversation_tags.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/glob.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

constexpr uint32_t page_size = 1000;

/// Tells an actor the status of an answer that only it waits for.
class counted_answer final : public http_response {
public:
  explicit counted_answer(caf::actor to) : to_(std::move(to)) {}
  ~counted_answer() override { tell(0); }
  counted_answer(const counted_answer&) = delete;
  counted_answer& operator=(const counted_answer&) = delete;

  void watch(std::function<void(response_signal)>) override {}
  void send(uint16_t status, const headers&, std::string) override { tell(status); }
  void start(uint16_t status, const headers&) override { tell(status); }
  bool write(std::string_view) override { return true; }
  void finish() override {}
  void reset() override {}

private:
  void tell(uint16_t status) {
    if (auto to = std::exchange(to_, nullptr))
      caf::anon_send(to, status);
  }

  caf::actor to_;
};

/// The meaning of a node's answer to DELETE /v1/conversations/{id}.
failure meaning_of_removal(uint16_t status) {
  switch (status) {
  case 200:
    return {};
  case 404:
    return {errc::conversation_unknown, ""};
  case 409:
    return {errc::session_busy, ""};
  case 412:
    return {errc::conversation_changed, ""};
  case 503:
    return {errc::owner_unreachable, ""};
  default:
    return {errc::store_failed, ""};
  }
}

struct listed_chat {
  std::string session_id; ///< scoped
  uint64_t version;
};

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
        found.push_back({scoped_id(owner, each.id), each.version});
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
    what.session_id = std::move(found.back().session_id);
    what.verb = conversation_verb::remove;
    if (which.before_ms) // who has gone on with a chat since it was listed wants to have it
      what.if_version = found.back().version;
    found.pop_back();
    if (nodes != nullptr)
      return remove_by_nodes(std::string{public_id(what.session_id)}, what.if_version);
    auto changer = spawn_conversation_changer(self->system(), settings);
    self->request(changer, caf::infinite, std::move(what)) // it has deadlines of its own
        .then([this](const info_answer& done) { removed_one(done.error); },
              [this](const caf::error& why) { removed_one(store_lost(why)); });
  }

  /// A conversation whose turn another node runs is removed by that one; it answers with a status.
  void remove_by_nodes(const std::string& id, uint64_t version) {
    server_request request;
    request.method = "DELETE";
    request.target = "/v1/conversations/" + percent_encoded(id);
    request.path = "/v1/conversations/" + id;
    request.fields = {{"x-request-id", request_id}};
    if (version != 0)
      request.fields.push_back({"if-match", entity_tag(version)});
    nodes->ask(who, std::move(request), std::make_shared<counted_answer>(caf::actor{self}));
  }

  /// A conversation that is gone already, or was continued, is no failure; a store that fails is.
  void removed_one(const failure& why) {
    if (why && why.code != errc::conversation_unknown && why.code != errc::conversation_changed)
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
  turn_forwarder* nodes = nullptr; ///< with these two: of a cluster
  principal who;
  std::string request_id;
  std::vector<listed_chat> found;
  size_t matched = 0;
  size_t removed = 0;
};

caf::behavior removal(caf::stateful_actor<removal_state>* self,
                      const std::shared_ptr<http_call>& call, removal_filter which) {
  quiet(self);
  auto& in = *call;
  auto& state = self->state;
  state.settings = in.config.store;
  state.response = std::move(in.response);
  state.owner = in.who.owner;
  state.which = std::move(which);
  state.nodes = in.services.nodes;
  state.who = std::move(in.who);
  state.request_id = request_id_of(in.known);
  caf::actor me{self};
  state.response->watch([me](response_signal what) {
    if (what == response_signal::gone)
      caf::anon_send<caf::message_priority::high>(me, client_signal{what});
  });
  state.list({});
  return {[self](const client_signal&) { self->quit(); },
          [&state](uint16_t status) { state.removed_one(meaning_of_removal(status)); }};
}

/// @param day that is_day() takes
int64_t start_of(const std::string& day) {
  std::tm parts{};
  ::strptime(day.c_str(), "%Y-%m-%d", &parts);
  return static_cast<int64_t>(::timegm(&parts)) * 1000;
}

constexpr std::array<std::string_view, 4> removal_members{"id", "before", "all", "dryRun"};

/// A member that is not known, stands twice or has no value may have been meant to spare something.
failure check_members(std::string_view query) {
  std::vector<std::string_view> seen;
  while (!query.empty()) {
    const auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const auto name = pair.substr(0, pair.find('='));
    if (std::ranges::find(removal_members, name) == removal_members.end())
      return {errc::request_invalid,
              fmt::format("'{}' is not known here; id, before, all and dryRun are", name)};
    if (pair.size() <= name.size() + 1)
      return {errc::request_invalid, fmt::format("{} has no value", name)};
    if (std::ranges::find(seen, name) != seen.end())
      return {errc::request_invalid, fmt::format("{} stands twice", name)};
    seen.push_back(name);
  }
  return {};
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
         (!before_ms || which.updated_ms < *before_ms);
}

failure parse_removal(std::string_view query, removal_filter& out) {
  bool all = false;
  if (auto bad = check_members(query))
    return bad;
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
  in.system.spawn(removal, std::make_shared<http_call>(std::move(in)), std::move(which));
}

} // namespace troupe
