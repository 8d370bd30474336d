#include "apps/engine/http/websocket/ws_messages.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t max_id_bytes = 256;

/// The members that a verb has, beside those of its body.
struct verb_row {
  std::string_view name;
  ws_verb verb;
  std::array<std::string_view, 5> members;
  bool has_body = false; ///< else other members are refused
};

constexpr std::array verbs{
    verb_row{"start", ws_verb::start, {"session", "turn", "flow", "credit"}, true},
    verb_row{"tool-results", ws_verb::tool_results, {"session", "turn", "flow", "credit"}, true},
    verb_row{"approvals", ws_verb::approvals, {"session"}, true},
    verb_row{"abort", ws_verb::abort, {"session", "turn"}},
    verb_row{"resume", ws_verb::resume, {"session", "turn", "after", "flow", "credit"}},
    verb_row{"leave", ws_verb::leave, {"session"}},
    verb_row{"credit", ws_verb::credit, {"session", "events"}},
    verb_row{"ping", ws_verb::ping, {}},
};

failure invalid(std::string what) {
  return {errc::request_invalid, std::move(what)};
}

const verb_row* find_verb(std::string_view name) {
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const verb_row& row) { return row.name == name; });
  return found == verbs.end() ? nullptr : &*found;
}

/// Slices of the members that do not belong to the body.
struct own_members {
  std::string_view session, turn, flow, credit, after, events;

  std::string_view* find(std::string_view key) {
    for (auto& [name, value] :
         {std::pair{"session", &session}, std::pair{"turn", &turn}, std::pair{"flow", &flow},
          std::pair{"credit", &credit}, std::pair{"after", &after}, std::pair{"events", &events}})
      if (key == name)
        return value;
    return nullptr;
  }
};

/// Puts each member into `own` or into the body.
failure sort_members(std::string_view object, const verb_row& row, own_members& own,
                     std::string& body) {
  json_buffer rest;
  failure bad;
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    if (key == "type")
      return true;
    auto* place = own.find(key); // a row has empty names, too, which are no members
    if (place && std::find(row.members.begin(), row.members.end(), key) != row.members.end()) {
      *place = value;
      return true;
    }
    if (!row.has_body) {
      bad = invalid("\"" + std::string{row.name} + "\" has the unknown key \"" + std::string{key} +
                    "\"");
      return false;
    }
    rest.push_back(rest.size() == 0 ? '{' : ',');
    append_json(rest, key);
    rest.push_back(':');
    append_raw(rest, value);
    return true;
  });
  if (rest.size() == 0)
    rest.push_back('{');
  rest.push_back('}');
  body = view(rest);
  return bad;
}

failure read_id(std::string_view slice, const char* name, std::string& out) {
  if (!is_nothing(slice) && kind_of(slice) != json_kind::string)
    return invalid(std::string{name} + " must be a string");
  out = json_string(slice);
  if (out.size() > max_id_bytes)
    return invalid(std::string{name} + " must have at most 256 bytes");
  return {};
}

failure read_count(std::string_view slice, const char* name, uint64_t& out) {
  if (is_nothing(slice))
    return {};
  const auto number = kind_of(slice) == json_kind::number ? integer_of(slice) : std::nullopt;
  if (!number || *number < 0 || *number > std::numeric_limits<uint32_t>::max())
    return invalid(std::string{name} + " must be a whole number from 0 to 4294967295");
  out = static_cast<uint64_t>(*number);
  return {};
}

failure read_own(const own_members& in, ws_command& out) {
  if (auto bad = read_id(in.session, "session", out.session))
    return bad;
  if (out.session.empty() && out.verb != ws_verb::ping)
    return invalid("session must be a string of 1 to 256 bytes");
  if (auto bad = check_chat_id(out.session, "session"))
    return bad;
  if (auto bad = read_id(in.turn, "turn", out.turn))
    return bad;
  const auto flow = json_string(in.flow);
  if (!is_nothing(in.flow) && flow != "auto" && flow != "manual")
    return invalid("flow must be \"auto\" or \"manual\"");
  out.manual = flow == "manual";
  if (!is_nothing(in.credit) && !out.manual)
    return invalid("credit needs \"flow\": \"manual\"");
  if (out.verb == ws_verb::credit && is_nothing(in.events))
    return invalid("events must be a whole number from 0 to 4294967295");
  if (auto bad = read_count(in.after, "after", out.after))
    return bad;
  if (auto bad = read_count(in.credit, "credit", out.events))
    return bad;
  return read_count(in.events, "events", out.events);
}

void append_type(json_buffer& out, std::string_view type, std::string_view session) {
  append_raw(out, R"({"type":")");
  append_raw(out, type);
  append_raw(out, "\"");
  if (session.empty())
    return;
  append_raw(out, R"(,"session":)");
  append_json(out, session);
}

void append_turn(json_buffer& out, std::string_view turn) {
  append_raw(out, R"(,"turn":)");
  append_json(out, turn);
}

} // namespace

failure parse_ws_command(std::string_view text, ws_command& out) {
  out = {};
  json_source source{text};
  if (!source.fault().empty())
    return invalid("the message is not valid JSON: " + source.fault());
  if (kind_of(source.root()) != json_kind::object)
    return invalid("the message must be a JSON object");
  std::string_view type, session;
  read_members(source.root(), {{"type", &type}, {"session", &session}});
  if (auto bad = read_id(session, "session", out.session))
    return bad;
  const auto* row = find_verb(json_string(type));
  if (row == nullptr)
    return invalid("type must be start, tool-results, approvals, abort, resume, leave, credit or "
                   "ping");
  out.verb = row->verb;
  own_members own;
  if (auto bad = sort_members(source.root(), *row, own, out.body))
    return bad;
  return read_own(own, out);
}

void append_ws_events(json_buffer& out, const event_batch& batch, size_t from, size_t count) {
  append_type(out, "events", public_id(batch.session_id));
  append_turn(out, batch.turn_id);
  append_raw(out, R"(,"first":)");
  append_json(out, batch.first_seq + from);
  append_raw(out, R"(,"events":[)");
  for (size_t i = from; i < from + count; ++i) {
    if (i > from)
      out.push_back(',');
    append_event_json(out, batch, i);
  }
  append_raw(out, "]}");
}

void ws_remote_events::take_frame(json_buffer& out, std::string_view session, size_t wanted) {
  append_type(out, "events", session);
  append_turn(out, turn);
  append_raw(out, R"(,"first":)");
  append_json(out, first);
  append_raw(out, R"(,"events":[)");
  size_t taken = 0;
  for (size_t i = 0; i < wanted; ++i) {
    const auto end = std::min(lines.find('\n', taken), lines.size());
    append_raw(out, i == 0 ? "" : ",");
    append_raw(out, std::string_view{lines}.substr(taken, end - taken));
    taken = std::min(end + 1, lines.size());
  }
  append_raw(out, "]}");
  lines.erase(0, taken);
  first += wanted;
  count -= wanted;
}

std::string ws_refused(std::string_view session, std::string_view turn, const failure& why) {
  json_buffer error;
  append_error(error, why);
  return ws_refused_with(session, turn, view(error));
}

std::string ws_refused_with(std::string_view session, std::string_view turn,
                            std::string_view error) {
  json_buffer out;
  json_object{out}
      .member("type", "refused")
      .given("session", session)
      .given("turn", turn)
      .raw("error", error);
  return std::string{view(out)};
}

std::string ws_error(std::string_view session, const failure& why) {
  json_buffer out;
  append_error(json_object{out}.member("type", "error").given("session", session).key("error"),
               why);
  return std::string{view(out)};
}

std::string ws_notice(std::string_view type, std::string_view session) {
  json_buffer out;
  json_object{out}.member("type", type).given("session", session);
  return std::string{view(out)};
}

} // namespace troupe
