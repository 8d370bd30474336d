// The answers of /v1/conversations: which actor is asked, and how its answer is written.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include <caf/error.hpp>

#include "apps/engine/http/requests/http_reply.hpp"
#include "apps/engine/library/conversation_changer.hpp"
#include "messages/http.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// Writes an answer without an error.
template <class Answer>
using answer_writer = std::function<void(http_reply&, Answer&)>;

/// Asks `whom`; an error goes to the client, any other answer to `write`.
template <class Answer, class Handle, class Limit, class Ask>
void ask_store(http_reply& out, const Handle& whom, Limit limit, Ask what,
               answer_writer<Answer> write) {
  out.watched.add(whom);
  auto took = [&out, write = std::move(write)](Answer& answer) {
    if (answer.error)
      out.refuse(answer.error);
    else
      write(out, answer);
  };
  out.self->request(whom, limit, std::move(what))
      .then(std::move(took), [&out](const caf::error& why) { out.refuse(store_lost(why)); });
}

/// Asks the conversation_reader. @param settings say why there is none
template <class Answer, class Ask>
void ask_reader(http_reply& out, const store_settings& settings, Ask what,
                answer_writer<Answer> write) {
  auto reader = whereis<conversation_reader_actor>(out.self->system(), conversation_reader_name);
  if (!reader)
    return out.refuse(store_missing(settings));
  ask_store<Answer>(out, reader, store_answer_limit, std::move(what), std::move(write));
}

/// Answers with a whole conversation, when it may be made (answer_slots) and there is room for it.
/// @param whole false: the answer is short, whatever the conversation is
void reply_with_whole(http_call& in, bool whole, answer_writer<conversation_answer> write);

/// Answers with what the conversation_reader says.
template <class Answer, class Ask>
void reply_from_reader(http_call& in, Ask what, answer_writer<Answer> write) {
  spawn_http_reply(in,
                   [what = std::move(what), settings = in.config.store, write = std::move(write)](
                       http_reply& out) { ask_reader<Answer>(out, settings, what, write); });
}

/// Makes a change and answers with the new state.
void reply_with_change(http_call& in, change_conversation what, answer_writer<info_answer> write);

/// Has a file made a conversation, and answers with it.
void reply_with_import(http_call& in, import_file what, answer_writer<info_answer> write);

/// Answers with a status and JSON. @param fields beside the content type
void send_json(http_reply& out, uint16_t status, headers fields, std::string body);

/// Answers with a conversation_info and its ETag.
void send_info(http_reply& out, const conversation_info& what);

} // namespace troupe
