#include "messages/wire/clients/conversation/ui_conversation.hpp"

#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "messages/chat/skipped_call_texts.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/clients/conversation/ui_message_parts.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// The turns' facts about an answer: a stream ends with them as the message's metadata.
struct answer_metadata {
  const turn_record* ended = nullptr;
  const turn_record* failed = nullptr;

  /// Returns whether append() writes a member of that name, or the list of messages does.
  bool has(std::string_view key) const {
    return key == "createdAt" ||
           (ended != nullptr && (key == "usage" || (key == "model" && !ended->model.empty()))) ||
           (failed != nullptr && (key == "error" || key == "retryable"));
  }

  /// Appends `,"name":value` for each member.
  void append(json_buffer& out) const;
};

void answer_metadata::append(json_buffer& out) const {
  if (ended != nullptr) {
    append_raw(out, R"(,"usage":)");
    append_json(out, ended->used);
  }
  if (ended != nullptr && !ended->model.empty()) {
    append_raw(out, R"(,"model":)");
    append_json(out, ended->model);
  }
  if (failed != nullptr) {
    append_raw(out, R"(,"error":)");
    append_json(out, failed->error.code);
    append_raw(out, R"(,"retryable":)");
    append_json(out, retryable(failed->error.code));
  }
}

using metadata_by_id = std::unordered_map<std::string_view, answer_metadata>;

/// Several turns make one answer where it continues after calls of the client's or approvals.
metadata_by_id metadata_of(const std::vector<turn_record>& turns) {
  metadata_by_id out;
  for (const auto& each : turns)
    if (each.state == turn_state::ended)
      out[each.message_id].ended = &each;
    else if (each.state == turn_state::failed || each.state == turn_state::interrupted)
      out[each.message_id].failed = &each;
  return out;
}

bool is_answer(role who) {
  return who == role::assistant || who == role::tool;
}

/// Writes the messages of a conversation as UI messages.
class message_list {
public:
  /// @param begins gets the number of each UI message's first message; nullptr: nobody wants it
  message_list(json_buffer& out, const conversation& what, std::vector<size_t>* begins = nullptr)
      : out_{out}, begins_{begins}, all_{what.messages}, turns_{what.turns},
        metadata_{metadata_of(what.turns)}, parts_{out} {}

  void write();

private:
  bool goes_on(const chat_message& message) const;
  void begin(std::string_view id, role who, size_t at, const shown_part* given);
  void end();
  void metadata(int64_t created_ms, const shown_part* given);
  void others_behind(size_t at);
  const chat_message* result_of(const tool_call& call, size_t at);

  json_buffer& out_;
  std::vector<size_t>* begins_;
  const std::vector<stored_message>& all_;
  const std::vector<turn_record>& turns_;
  metadata_by_id metadata_;
  ui_part_writer parts_;
  std::string id_; ///< of the UI message that is open
  bool answers_ = false;
  size_t count_ = 0;
  chat_message cut_off_; ///< the result of a call that a restart has cut off
};

void message_list::write() {
  out_.push_back('[');
  for (size_t i = 0; i < all_.size(); ++i) {
    const auto& message = all_[i].message;
    if (!goes_on(message))
      begin(message.id.empty() ? fmt::format("message-{}", i) : message.id,
            is_answer(message.who) ? role::assistant : message.who, i,
            find_shown(std::span{message.shown}.first(end_of_own(message.shown)), "metadata"));
    if (message.who == role::tool)
      parts_.steps(steps_behind(message));
    else
      parts_.message(message, [&](const tool_call& call) { return result_of(call, i); });
    others_behind(i);
  }
  end();
  out_.push_back(']');
}

/// Returns whether it belongs to the UI message that is open. Results belong to their calls, also
/// with another id.
bool message_list::goes_on(const chat_message& message) const {
  return answers_ &&
         (message.who == role::tool || (message.who == role::assistant && message.id == id_));
}

void message_list::begin(std::string_view id, role who, size_t at, const shown_part* given) {
  end();
  if (begins_ != nullptr)
    begins_->push_back(at);
  // Without an id nothing continues but results, and answers that have none either.
  id_ = all_[at].message.id.empty() && who == role::assistant ? std::string{} : std::string{id};
  answers_ = who == role::assistant;
  append_raw(out_, count_++ > 0 ? R"(,{"id":)" : R"({"id":)");
  append_json(out_, id);
  append_raw(out_, R"(,"role":)");
  append_json(out_, who);
  metadata(all_[at].created_ms, given);
  append_raw(out_, R"(,"parts":[)");
  parts_.begin();
}

void message_list::end() {
  if (count_ > 0)
    append_raw(out_, "]}");
}

/// The engine's own metadata wins over a client's, which may be older.
void message_list::metadata(int64_t created_ms, const shown_part* given) {
  const auto found = answers_ && !id_.empty() ? metadata_.find(id_) : metadata_.end();
  const auto known = found == metadata_.end() ? answer_metadata{} : found->second;
  fmt::format_to(std::back_inserter(out_), R"(,"metadata":{{"createdAt":{})", created_ms);
  const json_source source{given == nullptr ? std::string_view{} : given->value};
  for_each_member(source.root(), [&](std::string_view key, json_value value) {
    if (known.has(key))
      return true;
    out_.push_back(',');
    append_json(out_, key);
    out_.push_back(':');
    append_raw(out_, value);
    return true;
  });
  known.append(out_);
  out_.push_back('}');
}

/// UI messages that say nothing to a model stand after the message before them.
void message_list::others_behind(size_t at) {
  const auto& message = all_[at].message;
  const std::span<const shown_part> all{message.shown};
  for (auto from = end_of_own(all); from < all.size();) {
    const auto rest = all.subspan(from + 1);
    const auto behind = rest.first(end_of_own(rest));
    const auto who = all[from].type == "user"     ? role::user
                     : all[from].type == "system" ? role::system
                                                  : role::assistant;
    begin(all[from].value, who, at, find_shown(behind, "metadata"));
    id_ = all[from].value;
    parts_.steps(behind);
    from += behind.size() + 1;
  }
}

/// Returns the result of a call among the messages after the message of the call; nullptr if it
/// still needs one.
const chat_message* message_list::result_of(const tool_call& call, size_t at) {
  const auto& made_by = all_[at].message;
  while (++at < all_.size() && all_[at].message.who == role::tool)
    if (all_[at].message.tool_call_id == call.id)
      return &all_[at].message;
  const auto cut_off = at == all_.size() && !turns_.empty() &&
                       turns_.back().state == turn_state::interrupted &&
                       turns_.back().message_id == made_by.id;
  if (!cut_off)
    return nullptr;
  cut_off_.text = restarted_text;
  cut_off_.shown = {make_shown("error")};
  return &cut_off_;
}

void append_turn(json_buffer& out, const turn_record& turn) {
  json_object all{out};
  for_each_field(turn, [&](std::string_view name, const auto& member) {
    if (name != "error")
      all.member(name, member);
    else if (turn.error)
      all.member(name, failure{turn.error.code, turn.error.text()});
    else
      all.raw(name, "null");
  });
}

} // namespace

std::string ui_conversation_json(const conversation& what) {
  return json_text([&](json_object& out) {
    out.members(what.info).raw("overrides", overrides_json(what.overrides));
    message_list{out.key("messages"), what}.write();
    if (what.turns.empty())
      out.raw("lastTurn", "null");
    else
      append_turn(out.key("lastTurn"), what.turns.back());
  });
}

std::string ui_messages_json(const conversation& what, std::vector<size_t>& begins) {
  json_buffer out;
  begins.clear();
  message_list{out, what, &begins}.write();
  return std::string{view(out)};
}

} // namespace troupe
