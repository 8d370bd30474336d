#include "apps/bench/target/http/ui_answer_reader.hpp"

#include "apps/bench/target/http/event_data.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::bench {

void ui_answer_reader::read(const sse_event& each) {
  if (auto literal = shape_.match(each.data); !literal.empty())
    return text(literal);
  if (is_done(each.data))
    return terminated();
  read_chunk(type_of(each.data), each.data);
}

void ui_answer_reader::read_chunk(std::string_view type, std::string_view json) {
  if (type == "text-delta") {
    read_text(json);
  } else if (type == "tool-input-available" || type == "tool-input-error") {
    tell(observed::arguments_end);
  } else if (type == "tool-output-available" || type == "tool-output-error" ||
             type == "tool-output-denied") {
    if (!is_preliminary(json))
      tell(observed::tool_end);
  } else if (type == "start-step") {
    tell(observed::model_request);
  } else if (type == "start") {
    std::string_view id;
    read_members(json, {{"messageId", &id}});
    if (id.size() > 2 && id.front() == '"')
      message_id_ = id.substr(1, id.size() - 2);
  } else if (type == "error") {
    std::string_view said;
    read_members(json, {{"errorText", &said}});
    error_ = {errc::model_failed, json_string(said)};
  } else if (type == "finish") {
    read_finish(json);
  } else if (type == "abort") {
    aborted_ = true;
  }
}

/// Reads the metadata of `finish`. Troupe puts the error's code and the turn's `usage` there.
/// Servers on the AI SDK may send `totalUsage`; a `usage` beside it is of the last step only.
void ui_answer_reader::read_finish(std::string_view json) {
  std::string_view metadata, code, counts, total;
  read_members(json, {{"messageMetadata", &metadata}});
  read_members(metadata, {{"error", &code}, {"usage", &counts}, {"totalUsage", &total}});
  if (error_ && !code.empty())
    error_.code = errc_from(json_string(code));
  used(usage_of(total.starts_with('{') ? total : counts));
}

void ui_answer_reader::read_text(std::string_view json) {
  std::string_view delta;
  read_members(json, {{"delta", &delta}});
  if (delta.empty() || delta.front() != '"')
    return;
  text(delta);
  shape_.learn(json, delta, false);
}

void ui_answer_reader::terminated() {
  if (error_)
    fail(error_.code, error_.text());
  else if (aborted_)
    stopped();
  else
    end();
}

void ui_answer_reader::cut_short() {
  if (error_)
    fail(error_.code, error_.text());
  else
    answer_reader::cut_short();
}

} // namespace troupe::bench
