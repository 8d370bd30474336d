#include "messages/wire/clients/ui/ui_message_writer.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "messages/chat/skipped_call_texts.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

constexpr std::string_view head_of_frame = "data: ";
constexpr std::string_view end_of_frame = "\n\n";

} // namespace

std::optional<ui_profile> ui_profile_of(std::string_view name) {
  if (name == "v5-min")
    return ui_profile::v5_min;
  if (name == "v6")
    return ui_profile::v6;
  if (name == "v7")
    return ui_profile::v7;
  return std::nullopt;
}

// -- frames -------------------------------------------------------------------------------------

void ui_message_stream::writer::frame(std::string_view json) {
  raw(head_of_frame);
  raw(json);
  raw(end_of_frame);
}

void ui_message_stream::writer::begin(std::string_view type) {
  raw(R"(data: {"type":")");
  raw(type);
  raw("\"");
}

void ui_message_stream::writer::member(std::string_view name, std::string_view value) {
  raw(",\"");
  raw(name);
  raw("\":\"");
  append_escaped(out_, value);
  raw("\"");
}

void ui_message_stream::writer::json_member(std::string_view name, const raw_json& value) {
  raw(",\"");
  raw(name);
  raw("\":");
  auto from = out_.size();
  append_json(out_, value);
  keep_on_one_line(out_, from);
}

// -- parts and steps ----------------------------------------------------------------------------

void ui_message_stream::writer::delta(part kind, std::string_view text) {
  if (text.empty())
    return;
  if (self_.open_ != kind)
    open_part(kind);
  raw(self_.delta_head_);
  append_escaped(out_, text);
  raw("\"}\n\n");
}

void ui_message_stream::writer::open_part(part kind) {
  close_part();
  ensure_step();
  ++self_.part_number_;
  self_.open_ = kind;
  part_frame("-start");
  end();
  auto from = out_.size();
  part_frame("-delta");
  raw(R"(,"delta":")");
  self_.delta_head_.assign(out_.data() + from, out_.size() - from);
  out_.resize(from);
}

void ui_message_stream::writer::close_part() {
  if (self_.open_ == part::none)
    return;
  part_frame("-end");
  end();
  self_.open_ = part::none;
}

/// Begins a frame of the open part.
void ui_message_stream::writer::part_frame(std::string_view verb) {
  raw(R"(data: {"type":")");
  raw(self_.open_ == part::text ? "text" : "reasoning");
  raw(verb);
  raw(R"(","id":")");
  fmt::format_int number{self_.part_number_};
  raw({number.data(), number.size()});
  raw("\"");
}

void ui_message_stream::writer::ensure_started() {
  if (!self_.started_)
    frame(R"({"type":"start"})");
  self_.started_ = true;
}

void ui_message_stream::writer::ensure_step() {
  ensure_started();
  if (self_.in_step_)
    return;
  frame(R"({"type":"start-step"})");
  self_.in_step_ = true;
}

void ui_message_stream::writer::close_step() {
  close_part();
  if (self_.in_step_)
    frame(R"({"type":"finish-step"})");
  self_.in_step_ = false;
  self_.calls_.clear();
}

/// Ends the turn with a step that has no tools. Clients only notice a step that has a part, so a
/// data part is written.
void ui_message_stream::writer::end_with_data_step(std::string_view json) {
  close_step();
  ensure_step();
  frame(json);
  close_step();
}

void ui_message_stream::writer::done() {
  raw("data: [DONE]\n\n");
  self_.done_ = true;
}

// -- the turn -----------------------------------------------------------------------------------

void ui_message_stream::writer::operator()(const session_start& what) {
  if (self_.started_)
    return;
  self_.started_ = true;
  begin("start");
  if (!what.message_id.empty())
    member("messageId", what.message_id);
  end();
}

void ui_message_stream::writer::operator()(const model_response_waiting& what) {
  close_calls(not_run_text, true);
  close_step();
  self_.asked_model_ = true;
  self_.model_ = what.model;
  ensure_step();
}

/// Appends the members of every finish chunk. Metadata in it keeps a client from sending the turn
/// again because it looks unfinished.
void ui_message_stream::writer::metadata(const session_end& what) {
  raw(R"(,"messageMetadata":{"usage":)");
  append_json(out_, what.used);
  if (!self_.model_.empty())
    member("model", self_.model_);
  if (!reads(ui_profile::v6))
    member("finishReason", to_string(what.reason));
  raw("}");
}

void ui_message_stream::writer::operator()(const session_end& what) {
  if (self_.aborted_)
    return done();
  ensure_started();
  close_part();
  close_calls(not_run_text, false);
  // Open calls are the client's: the turn continues when the client has run or decided them.
  auto open = [](const call& each) { return !each.ended && !each.continued; };
  if (!self_.calls_.empty() && std::none_of(self_.calls_.begin(), self_.calls_.end(), open))
    end_with_data_step(
        fmt::format(R"({{"type":"data-limit","data":{{"finishReason":"{}","roundtrips":{}}}}})",
                    to_string(what.reason), what.roundtrips));
  close_step();
  begin("finish");
  if (reads(ui_profile::v6))
    member("finishReason", to_string(what.reason));
  metadata(what);
  end();
  done();
}

void ui_message_stream::writer::operator()(const session_error& what) {
  if (self_.aborted_)
    return done();
  ensure_step();
  close_part();
  auto text = text_or(what.error_text, what.error);
  close_calls(text, true);
  begin("error");
  member("errorText", text);
  end();
  close_step();
  begin("finish");
  if (reads(ui_profile::v6))
    member("finishReason", "error");
  raw(R"(,"messageMetadata":{"error":)");
  append_json(out_, what.error);
  raw(R"(,"retryable":)");
  append_json(out_, what.can_retry);
  raw("}");
  end();
  done();
}

void ui_message_stream::writer::operator()(const abort_event& what) {
  ensure_started();
  close_part();
  close_calls(aborted_call_text, true);
  if (!self_.calls_.empty()) {
    json_buffer data;
    append_raw(data, R"({"type":"data-abort","data":{"reason":)");
    append_json(data, what.reason);
    append_raw(data, "}}");
    end_with_data_step(view(data));
  }
  close_step();
  begin("abort");
  if (reads(ui_profile::v7) && !what.reason.empty())
    member("reason", what.reason);
  end();
  self_.aborted_ = true;
}

// -- the encoder --------------------------------------------------------------------------------

const headers& ui_message_stream::head() {
  static const headers all{{"content-type", "text/event-stream"},
                           {"cache-control", "no-cache"},
                           {"x-vercel-ai-ui-message-stream", "v1"},
                           {"x-accel-buffering", "no"}};
  return all;
}

void ui_message_stream::encode(const event_batch& batch, json_buffer& out) {
  writer write{*this, out};
  for (const auto& each : batch.events) {
    if (done_)
      return;
    if (aborted_ && !is_terminal(each))
      continue;
    std::visit(write, each);
  }
}

} // namespace troupe
