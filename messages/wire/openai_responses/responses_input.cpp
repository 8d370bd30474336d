#include "messages/wire/openai_responses/responses_input.hpp"

#include <string>
#include <string_view>

#include "messages/wire/history/call_ids.hpp"
#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/openai_chat/openai_files.hpp"
#include "messages/wire/openai_responses/kept_items.hpp"
#include "messages/wire/provider/part_list.hpp"

namespace troupe {

namespace {

/// With a longer id every later request is refused. Servers want their own ids back as they are.
constexpr call_id_rule call_ids{.max_bytes = 64, .any_characters = true};

void append_image(json_buffer& out, std::string_view url, std::string_view detail) {
  append_raw(out, R"({"type":"input_image","image_url":)");
  append_json(out, url);
  if (is_image_detail(detail)) {
    append_raw(out, R"(,"detail":)");
    append_json(out, detail);
  }
  out.push_back('}');
}

void append_document(json_buffer& out, std::string_view url, std::string_view filename) {
  if (!url.starts_with("data:")) {
    append_raw(out, R"({"type":"input_file","file_url":)");
  } else {
    append_raw(out, R"({"type":"input_file","filename":)");
    append_json(out, filename.empty() ? std::string_view{"document.pdf"} : filename);
    append_raw(out, R"(,"file_data":)");
  }
  append_json(out, url);
  out.push_back('}');
}

void append_input_text(json_buffer& out, std::string_view text) {
  append_raw(out, R"({"type":"input_text","text":)");
  append_json(out, text);
  out.push_back('}');
}

void append_file(json_buffer& out, part_list& parts, const model_file& seen,
                 const message_file& from) {
  parts.begin_file();
  if (seen.is_image)
    append_image(out, seen.url, from.detail);
  else if (seen.is_audio)
    append_audio_part(out, seen.type(), seen.data());
  else
    append_document(out, seen.url, from.filename);
}

/// Writes the items, with commas between them.
class input_writer {
public:
  /// @param sealed_reasoning whether it goes back
  input_writer(json_buffer& out, const model_config& model, bool sealed_reasoning)
      : out_{out}, model_{model}, owner_{seal_owner(model)},
        sealed_reasoning_{sealed_reasoning && model.reasoning != reasoning_policy::strip} {}

  void message(const chat_message& what) {
    if (what.who == role::user)
      user(what);
    else if (what.who == role::tool)
      result(what);
    else
      answer(what);
  }

private:
  void begin(std::string_view text) {
    if (!first_)
      out_.push_back(',');
    first_ = false;
    append_raw(out_, text);
  }

  void user(const chat_message& what) {
    begin(R"({"role":"user","content":)");
    if (what.files.empty() && what.extras.empty())
      append_json(out_, what.text);
    else
      content(what);
    out_.push_back('}');
  }

  void content(const chat_message& what) {
    part_list parts{out_, append_input_text};
    for_each_content_piece(
        what, files_of(model_), [&](std::string_view text) { parts.text(text); },
        [&](const model_file& file, const message_file& from) {
          append_file(out_, parts, file, from);
        });
    parts.end();
  }

  void result(const chat_message& what) {
    begin(R"({"type":"function_call_output","call_id":)");
    append_json(out_, call_id_for(what.tool_call_id, call_ids));
    append_raw(out_, R"(,"output":)");
    if (what.files.empty())
      append_json(out_, what.text);
    else
      shown_result(what);
    out_.push_back('}');
  }

  void shown_result(const chat_message& what) {
    part_list parts{out_, append_input_text};
    auto taken = files_of(model_);
    taken.audio = false; // a result cannot hold it
    parts.text(text_with_notes(what, taken));
    for (const auto& each : what.files) {
      model_file seen;
      read_file(each, taken, seen);
      if (seen.is_taken())
        append_file(out_, parts, seen, each);
    }
    parts.end();
  }

  void answer(const chat_message& what) {
    if (what.provider_metadata.empty())
      return plain(what);
    const kept_answer kept{what, owner_};
    if (!kept.counts())
      return plain(what);
    for (const auto& each : kept.to_send(sealed_reasoning_))
      if (each.call != nullptr)
        call(*each.call);
      else
        begin(each.json);
  }

  void plain(const chat_message& what) {
    if (const auto text = text_with_notes(what, files_of(model_)); !lacks_text(text)) {
      begin(R"({"role":"assistant","content":)");
      append_json(out_, text);
      out_.push_back('}');
    }
    for (const auto& each : what.tool_calls)
      call(each);
  }

  void call(const tool_call& what) {
    begin(R"({"type":"function_call","call_id":)");
    append_json(out_, call_id_for(what.id, call_ids));
    append_raw(out_, R"(,"name":)");
    append_json(out_, what.name);
    append_raw(out_, R"(,"arguments":)");
    append_json(out_, what.arguments.empty() ? std::string_view{"{}"} : what.arguments);
    out_.push_back('}');
  }

  json_buffer& out_;
  const model_config& model_;
  std::string owner_;
  bool sealed_reasoning_;
  bool first_ = true;
};

} // namespace

history_rules responses_rules() {
  return {.begins_with_user = true,
          .alternates = false,
          .answers_results = false,
          .ends_with_user = true};
}

void append_responses_input(json_buffer& out, const request_history& messages,
                            const model_config& model, bool sealed_reasoning) {
  out.push_back('[');
  input_writer write{out, model, sealed_reasoning};
  if (messages.size() == 0) // an empty list is refused
    write.message(user_message("(The user sent an empty message.)"));
  for (size_t i = 0; i < messages.size(); ++i)
    write.message(messages[i]);
  out.push_back(']');
}

} // namespace troupe
