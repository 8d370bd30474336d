#include "apps/engine/http/routes/conversations/conversation_replies.hpp"

#include <memory>

#include "apps/engine/http/requests/answer_slots.hpp"
#include "apps/engine/http/routes/conversations/conversation_tags.hpp"
#include "messages/json.hpp"

namespace troupe {

void reply_with_whole(http_call& in, bool whole, answer_writer<conversation_answer> write) {
  spawn_http_reply(in, [id = in.chat(in.ids[0]), slots = in.services.slots, whole,
                        settings = in.config.store, write = std::move(write)](http_reply& out) {
    auto read = [&out, id, whole, settings, write] {
      get_conversation what{id};
      if (whole)
        what.most_bytes = out.response->room();
      ask_reader<conversation_answer>(out, settings, std::move(what), write);
    };
    if (slots == nullptr)
      return read();
    out.slot = slots->take([me = caf::actor{out.self}](answer_slots::slot given) {
      caf::anon_send(me, answer_slot{std::move(given)});
    });
    if (out.slot)
      return read();
    out.when_placed(std::move(read));
  });
}

void reply_with_change(http_call& in, change_conversation what, answer_writer<info_answer> write) {
  spawn_http_reply(in, [what = std::move(what), settings = in.config.store,
                        write = std::move(write)](http_reply& out) {
    auto changer = spawn_conversation_changer(out.self->system(), settings);
    ask_store<info_answer>(out, changer, caf::infinite, what, write); // it has deadlines of its own
  });
}

void reply_with_import(http_call& in, import_file what, answer_writer<info_answer> write) {
  // Shared, because a function must be copyable, and the file may be large.
  auto file = std::make_shared<import_file>(std::move(what));
  spawn_http_reply(
      in, [file, settings = in.config.store, write = std::move(write)](http_reply& out) {
        auto importer =
            whereis<conversation_importer_actor>(out.self->system(), conversation_importer_name);
        if (!importer)
          return out.refuse(store_missing(settings));
        ask_store<info_answer>(out, importer, caf::infinite, std::move(*file), write);
      });
}

void send_json(http_reply& out, uint16_t status, headers fields, std::string body) {
  if (auto to = std::exchange(out.response, nullptr)) {
    fields.push_back({"content-type", "application/json"});
    to->send(status, fields, std::move(body));
  }
  out.self->quit();
}

void send_info(http_reply& out, const conversation_info& what) {
  send_json(out, 200, {{"etag", entity_tag(what.version)}}, to_json(what));
}

} // namespace troupe
