#include "messages/wire/clients/responses/response_events.hpp"

namespace troupe {

namespace {

bool is_call(response_kind kind) {
  return kind != response_kind::message && kind != response_kind::reasoning;
}

/// Returns the member that holds the whole text when it is done.
std::string_view text_key(response_kind kind) {
  if (!is_call(kind))
    return "text";
  return kind == response_kind::custom_call ? "input" : "arguments";
}

} // namespace

void response_events::response(std::string_view type, const response_head& head,
                               const response_outcome& outcome,
                               const std::vector<response_item>& items) {
  if (out_ == nullptr)
    return;
  begin(type);
  append_raw(*out_, R"(,"response":)");
  append_response(*out_, head, outcome, items);
  end();
}

void response_events::error(const failure& why) {
  if (out_ == nullptr)
    return;
  begin("error");
  append_raw(*out_, R"(,"code":)");
  append_json(*out_, why.code);
  append_raw(*out_, R"(,"message":)");
  append_json(*out_, why.text());
  append_raw(*out_, R"(,"param":null)");
  end();
}

void response_events::item_added(const response_item& item, size_t index) {
  if (out_ == nullptr)
    return;
  whole_item("response.output_item.added", item, index);
  if (item.kind == response_kind::mcp_call)
    mcp_state(item, index, "in_progress");
  else if (!is_call(item.kind))
    part(item, index, "added", "");
}

void response_events::delta(const response_item& item, size_t index, std::string_view text) {
  if (out_ == nullptr)
    return;
  begin_text(item, index, ".delta");
  append_raw(*out_, R"(,"delta":)");
  append_json(*out_, text);
  end();
}

void response_events::text_done(const response_item& item, size_t index) {
  if (out_ == nullptr)
    return;
  begin_text(item, index, ".done");
  append_raw(*out_, ",\"");
  append_raw(*out_, text_key(item.kind));
  append_raw(*out_, "\":");
  append_json(*out_, item.text);
  if (item.kind == response_kind::function_call) {
    append_raw(*out_, R"(,"name":)");
    append_json(*out_, item.name);
  }
  end();
  if (!is_call(item.kind))
    part(item, index, "done", item.text);
}

void response_events::item_done(const response_item& item, size_t index) {
  if (out_ == nullptr)
    return;
  if (item.kind == response_kind::mcp_call)
    mcp_state(item, index, item.failed ? "failed" : "completed");
  whole_item("response.output_item.done", item, index);
}

/// Begins an event; its type comes in up to three pieces.
void response_events::begin(std::string_view type, std::string_view more, std::string_view last) {
  append_raw(*out_, "event: ");
  for (auto each : {type, more, last})
    append_raw(*out_, each);
  append_raw(*out_, "\ndata: {\"type\":\"");
  for (auto each : {type, more, last})
    append_raw(*out_, each);
  append_raw(*out_, "\",\"sequence_number\":");
  append_json(*out_, sequence_++);
}

/// Begins an event about an item's text.
void response_events::begin_text(const response_item& item, size_t index, std::string_view end) {
  begin("response.", text_events_of(item.kind), end);
  place(item, index);
  if (item.kind == response_kind::reasoning)
    append_raw(*out_, R"(,"summary_index":0)");
  if (item.kind == response_kind::message)
    append_raw(*out_, R"(,"content_index":0,"logprobs":[])");
}

/// Writes an event about the part of an item that holds its text.
void response_events::part(const response_item& item, size_t index, std::string_view end_word,
                           std::string_view text) {
  const auto is_message = item.kind == response_kind::message;
  begin(is_message ? "response.content_part." : "response.reasoning_summary_part.", end_word);
  place(item, index);
  append_raw(*out_, is_message
                        ? R"(,"content_index":0,"part":{"type":"output_text","annotations":[],)"
                          R"("logprobs":[],"text":)"
                        : R"(,"summary_index":0,"part":{"type":"summary_text","text":)");
  append_json(*out_, text);
  out_->push_back('}');
  end();
}

void response_events::whole_item(std::string_view type, const response_item& item, size_t index) {
  begin(type);
  append_raw(*out_, R"(,"output_index":)");
  append_json(*out_, index);
  append_raw(*out_, R"(,"item":)");
  append_response_item(*out_, item);
  end();
}

void response_events::mcp_state(const response_item& item, size_t index, std::string_view state) {
  begin("response.mcp_call.", state);
  place(item, index);
  end();
}

void response_events::place(const response_item& item, size_t index) {
  append_raw(*out_, R"(,"item_id":)");
  append_json(*out_, item.id);
  append_raw(*out_, R"(,"output_index":)");
  append_json(*out_, index);
}

void response_events::end() {
  append_raw(*out_, "}\n\n");
}

} // namespace troupe
