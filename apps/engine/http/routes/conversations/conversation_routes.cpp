#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <memory>
#include <utility>

#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/http/routes/conversations/conversation_bodies.hpp"
#include "apps/engine/http/routes/conversations/conversation_removal.hpp"
#include "apps/engine/http/routes/conversations/conversation_replies.hpp"
#include "apps/engine/http/routes/conversations/conversation_tags.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

// -- questions -----------------------------------------------------------------------------------

void get_list(http_call& in) {
  list_conversations what;
  what.owner = in.who.owner;
  if (auto bad = parse_list(in.request.query, what))
    return send_error(*in.response, bad);
  reply_from_reader<conversation_page>(in, std::move(what), [](auto& out, const auto& page) {
    send_json(out, 200, {}, conversations_json(page));
  });
}

void get_search(http_call& in) {
  search_conversations what;
  what.owner = in.who.owner;
  if (auto bad = parse_search(in.request.query, what))
    return send_error(*in.response, bad);
  reply_from_reader<search_page>(in, std::move(what), [](auto& out, const auto& page) {
    send_json(out, 200, {}, hits_json(page));
  });
}

void get_usage(http_call& in) {
  usage_query what;
  what.owner = in.who.owner;
  if (auto bad = parse_usage(in.request.query, what))
    return send_error(*in.response, bad);
  reply_from_reader<usage_table>(in, std::move(what), [](auto& out, const auto& table) {
    send_json(out, 200, {}, usage_json(table));
  });
}

using conversation_renderer = std::string (*)(const conversation&);

/// Most messages of a conversation that are written as JSON on a loop; more would hold up others.
constexpr size_t most_rendered_on_loop = 1000;

/// Writes a long conversation on a thread of its own.
void send_from_thread(http_reply& out, headers fields, conversation& what,
                      conversation_renderer render) {
  fields.push_back({"content-type", "application/json"});
  auto found = std::make_shared<const conversation>(std::move(what));
  if (auto to = std::exchange(out.response, nullptr))
    out.self->system().spawn<caf::detached>(
        [=, slot = std::move(out.slot)](caf::event_based_actor*) {
          to->send(200, fields, render(*found));
        });
  out.self->quit();
}

/// Answers with `render(conversation)`, or 304 if the client has seen this version.
/// @param whole whether that is as long as the conversation
void reply_with_conversation(http_call& in, conversation_renderer render, bool whole = true) {
  if (auto bad = check_conversation_id(in.ids[0]))
    return send_error(*in.response, bad);
  reply_with_whole(
      in, whole, [render, seen = in.request.fields](http_reply& out, conversation_answer& answer) {
        auto version = answer.found.info.version;
        headers fields{{"etag", entity_tag(version)}, {"cache-control", "private, no-cache"}};
        if (has_seen(seen, version))
          send_json(out, 304, std::move(fields), "");
        else if (answer.found.messages.size() > most_rendered_on_loop)
          send_from_thread(out, std::move(fields), answer.found, render);
        else
          send_json(out, 200, std::move(fields), render(answer.found));
      });
}

void get_one(http_call& in) {
  reply_with_conversation(in, ui_conversation_json);
}

void get_export(http_call& in) {
  reply_with_conversation(in, export_json);
}

void get_overrides(http_call& in) {
  reply_with_conversation(
      in, [](const conversation& what) { return overrides_json(what.overrides); }, false);
}

// -- changes -------------------------------------------------------------------------------------

/// Sets up a change of the conversation that the path names, with the version of If-Match.
failure begin_change(http_call& in, conversation_verb verb, change_conversation& out) {
  out.session_id = in.chat(in.ids[0]);
  out.verb = verb;
  if (auto bad = check_conversation_id(in.ids[0]))
    return bad;
  return read_wanted_version(in.request.fields, out.if_version);
}

void write_info(http_reply& out, const info_answer& answer) {
  send_info(out, answer.info);
}

void patch_one(http_call& in) {
  change_conversation what;
  auto bad = begin_change(in, conversation_verb::rename, what);
  if (!bad)
    bad = parse_title(in.request.body, what.title);
  if (bad)
    return send_error(*in.response, bad);
  reply_with_change(in, std::move(what), write_info);
}

void delete_one(http_call& in) {
  change_conversation what;
  if (auto bad = begin_change(in, conversation_verb::remove, what))
    return send_error(*in.response, bad);
  reply_with_change(in, std::move(what),
                    [](http_reply& out, const info_answer&) { out.send("{}"); });
}

void delete_many(http_call& in) {
  removal_filter which;
  if (auto bad = parse_removal(in.request.query, which))
    return send_error(*in.response, bad);
  reply_with_removal(in, std::move(which));
}

void put_overrides(http_call& in) {
  change_conversation what;
  auto bad = begin_change(in, conversation_verb::override, what);
  if (!bad)
    bad = parse_overrides(in.request.body, what.overrides);
  if (!bad)
    bad = check_model_name(in.config, what.overrides.model);
  if (bad)
    return send_error(*in.response, bad);
  auto body = overrides_json(what.overrides);
  reply_with_change(in, std::move(what), [body](http_reply& out, const info_answer& answer) {
    send_json(out, 200, {{"etag", entity_tag(answer.info.version)}}, body);
  });
}

/// Answers with a conversation that is new.
void write_created(http_reply& out, const info_answer& answer) {
  send_json(out, 201,
            {{"etag", entity_tag(answer.info.version)},
             {"location", "/v1/conversations/" + percent_encoded(answer.info.id)}},
            to_json(answer.info));
}

void post_branch(http_call& in) {
  change_conversation what;
  branch_options how;
  auto bad = begin_change(in, conversation_verb::branch, what);
  if (!bad)
    bad = parse_branch(in.request.body, how);
  if (bad)
    return send_error(*in.response, bad);
  what.message_id = std::move(how.message_id);
  what.title = std::move(how.title);
  what.to = in.chat(how.id.empty() ? make_id("chat_") : how.id);
  reply_with_change(in, std::move(what), write_created);
}

void post_import(http_call& in) {
  import_file what;
  what.owner = in.who.owner;
  // An id that cannot be decoded is "", which is refused.
  if (('&' + in.request.query).find("&id=") != std::string::npos) {
    what.id = query_value(in.request.query, "id");
    if (auto bad = check_conversation_id(what.id))
      return send_error(*in.response, bad);
  }
  what.body = std::move(in.request.body);
  reply_with_import(in, std::move(what), write_created);
}

constexpr std::array conversation_rows{
    http_route{"GET", "/v1/conversations", get_list},
    http_route{"DELETE", "/v1/conversations", delete_many},
    http_route{"GET", "/v1/conversations/search", get_search},
    http_route{"POST", "/v1/conversations/import", post_import},
    http_route{"GET", "/v1/conversations/{}/export", get_export},
    http_route{"GET", "/v1/conversations/{}/overrides", get_overrides},
    http_route{"PUT", "/v1/conversations/{}/overrides", put_overrides},
    http_route{"POST", "/v1/conversations/{}/branch", post_branch},
    http_route{"GET", "/v1/conversations/{}", get_one},
    http_route{"PATCH", "/v1/conversations/{}", patch_one},
    http_route{"DELETE", "/v1/conversations/{}", delete_one, route_access::owners, false,
               turn_place::owner},
    http_route{"GET", "/v1/usage", get_usage},
};

} // namespace

route_table conversation_routes() {
  return conversation_rows;
}

} // namespace troupe
