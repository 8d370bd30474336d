#include "apps/engine/library/conversations_impl.hpp"

#include <utility>

#include <caf/all.hpp>

#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/library/blocking_request.hpp"
#include "apps/engine/library/conversation_changer.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"

namespace troupe {

namespace {

/// A change is up to four questions.
constexpr auto change_limit = long_change_limit + 3 * store_answer_limit;

/// Asks an actor and waits.
template <class Answer, class Handle, class Ask>
Answer ask_and_wait(caf::actor_system& system, const Handle& whom, std::chrono::seconds limit,
                    Ask what) {
  Answer got;
  caf::scoped_actor self{system};
  self->request(whom, limit, std::move(what))
      .receive([&](Answer& answer) { got = std::move(answer); },
               [&](const caf::error& why) { got.error = store_lost(why); });
  return got;
}

template <class Answer>
Answer refused(const failure& why) {
  Answer out;
  out.error = why;
  return out;
}

} // namespace

template <class Answer, class Ask>
Answer conversations_impl::read(const Ask& what) {
  if (closed_)
    return refused<Answer>({errc::shutting_down, ""});
  logger_guard guard;
  auto reader = whereis<conversation_reader_actor>(system_, conversation_reader_name);
  return reader ? ask_and_wait<Answer>(system_, reader, store_answer_limit, what)
                : refused<Answer>(store_missing(config_.store));
}

conversation_page conversations_impl::list(const list_conversations& what) {
  return read<conversation_page>(what);
}

search_page conversations_impl::search(const search_conversations& what) {
  return read<search_page>(what);
}

conversation_answer conversations_impl::get(const conversation_name& which) {
  if (auto bad = check_conversation_id(which.id))
    return refused<conversation_answer>(bad);
  return read<conversation_answer>(get_conversation{scoped_id(which.owner, which.id)});
}

usage_table conversations_impl::usage(const usage_query& what) {
  if (!is_day(what.from) || !is_day(what.to))
    return refused<usage_table>({errc::request_invalid, "a day is a text like 2026-11-21"});
  return read<usage_table>(what);
}

info_answer conversations_impl::change(const conversation_name& which, change_conversation what) {
  if (closed_)
    return refused<info_answer>({errc::shutting_down, ""});
  if (auto bad = check_conversation_id(which.id))
    return refused<info_answer>(bad);
  what.session_id = scoped_id(which.owner, which.id);
  what.if_version = which.if_version;
  logger_guard guard;
  return ask_and_wait<info_answer>(system_, spawn_conversation_changer(system_, config_.store),
                                   change_limit, std::move(what));
}

info_answer conversations_impl::rename(const conversation_name& which, const std::string& title) {
  if (auto bad = check_title(title))
    return refused<info_answer>(bad);
  change_conversation what;
  what.verb = conversation_verb::rename;
  what.title = title;
  return change(which, std::move(what));
}

failure conversations_impl::remove(const conversation_name& which) {
  change_conversation what;
  what.verb = conversation_verb::remove;
  return change(which, std::move(what)).error;
}

info_answer conversations_impl::set_overrides(const conversation_name& which,
                                              const chat_overrides& overrides) {
  if (auto bad = check_model_name(config_, overrides.model))
    return refused<info_answer>(bad);
  change_conversation what;
  what.verb = conversation_verb::override;
  what.overrides = overrides;
  return change(which, std::move(what));
}

info_answer conversations_impl::branch(const conversation_name& which, const branch_options& how) {
  auto id = how.id.empty() ? make_id("chat_") : how.id;
  for (const auto& bad : {check_conversation_id(id), check_title(how.title)})
    if (bad)
      return refused<info_answer>(bad);
  change_conversation what;
  what.verb = conversation_verb::branch;
  what.message_id = how.message_id;
  what.to = scoped_id(which.owner, id);
  what.title = how.title;
  return change(which, std::move(what));
}

/// Checks the content as an export file is checked: else it could be exported, but not imported.
info_answer conversations_impl::import(const conversation& content, const std::string& owner) {
  return import_file(export_json(content), {content.info.id, owner});
}

info_answer conversations_impl::import_file(std::string json, const conversation_name& which) {
  change_conversation what;
  if (auto bad = import_conversation(std::move(json), what.content))
    return refused<info_answer>(bad);
  if (!which.id.empty())
    what.content.info.id = which.id;
  what.verb = conversation_verb::import;
  const conversation_name name{what.content.info.id, which.owner};
  return change(name, std::move(what));
}

} // namespace troupe
