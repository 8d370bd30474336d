#include "messages/wire/openai_responses/responses_answer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_responses/kept_items.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/repaired_json.hpp"

namespace troupe {

// -- responses delta shape ------------------------------------------------------------------------

namespace {

constexpr std::string_view end_of_event = "\n\n";

bool is_delta_of_text(responses_event_kind kind) {
  return kind == responses_event_kind::text || kind == responses_event_kind::summary ||
         kind == responses_event_kind::thought;
}

/// Returns where the values of an event stand that change: its views are of its JSON.
std::vector<known_shape::place> places_in(const responses_event& read) {
  using hole = known_shape::hole;
  std::vector<known_shape::place> places;
  auto note = [&](hole holds, std::string_view value, size_t quote) {
    const auto first = static_cast<size_t>(value.data() - read.json.data());
    places.push_back({holds, first + quote, first + value.size() - quote});
  };
  note(hole::literal, read.delta, 1);
  const auto& number = read.sequence_number;
  if (number.find_first_not_of("0123456789") == number.npos && !number.empty())
    note(hole::number, number, 0);
  if (kind_of(read.obfuscation) == json_kind::string)
    note(hole::string, read.obfuscation, 1);
  std::ranges::sort(places, {}, &known_shape::place::first);
  return places;
}

} // namespace

void responses_delta_shape::learn(std::string_view type, const responses_event& read) {
  kind_ = read.kind_or(type);
  if (!is_delta_of_text(kind_) || kind_of(read.delta) != json_kind::string ||
      read.json.find('\n') != std::string_view::npos)
    return shape_.forget();
  if (!shape_.learn(read.json, places_in(read)))
    return;
  type_ = type;
  head_ = type.empty() ? "data: " : "event: " + type_ + "\ndata: ";
  output_index_ = integer_of(read.output_index).value_or(-1);
  part_index_ = integer_of(read.part_index).value_or(0);
}

size_t responses_delta_shape::match_event(std::string_view stream,
                                          std::string_view& literal) noexcept {
  if (!stream.starts_with(head_))
    return 0;
  const auto json = shape_.match(stream.substr(head_.size()), literal);
  const auto end = head_.size() + json;
  return json > 0 && stream.substr(end).starts_with(end_of_event) ? end + end_of_event.size() : 0;
}

std::string_view responses_delta_shape::match(std::string_view type,
                                              std::string_view json) noexcept {
  std::string_view literal;
  const auto same = !json.empty() && type == type_ && shape_.match(json, literal) == json.size();
  return same ? literal : std::string_view{};
}

// -- responses answer -----------------------------------------------------------------------------

namespace {

using item_kind = responses_item_kind;
using part_kind = responses_part_kind;

int64_t output_index(const responses_event& read) {
  return integer_of(read.output_index).value_or(-1);
}

bool is_reasoning(part_kind kind) {
  return kind == part_kind::summary || kind == part_kind::thought;
}

/// An event with a text, or with a piece of one.
struct text_event {
  responses_event_kind event;
  part_kind part;
  bool is_whole;
};

const text_event* text_event_of(responses_event_kind kind) {
  static constexpr std::array rows{
      text_event{responses_event_kind::text, part_kind::text, false},
      text_event{responses_event_kind::text_done, part_kind::text, true},
      text_event{responses_event_kind::refusal, part_kind::refusal, false},
      text_event{responses_event_kind::refusal_done, part_kind::refusal, true},
      text_event{responses_event_kind::summary, part_kind::summary, false},
      text_event{responses_event_kind::summary_done, part_kind::summary, true},
      text_event{responses_event_kind::thought, part_kind::thought, false},
      text_event{responses_event_kind::thought_done, part_kind::thought, true},
  };
  const auto* found = std::ranges::find(rows, kind, &text_event::event);
  return found == rows.end() ? nullptr : found;
}

bool is_text(std::string_view literal) {
  return kind_of(literal) == json_kind::string && literal != R"("")";
}

} // namespace

responses_answer::responses_answer(std::string id_prefix, std::string sealed_for)
    : calls_{std::move(id_prefix)}, sealed_for_{std::move(sealed_for)} {}

failure responses_answer::read(const answer_text& text, std::vector<event>& out) {
  if (text.data.starts_with("[DONE]") || text.data == R"("[DONE]")") {
    over_ = true; // of clones: OpenAI's own last event comes before
    return {};
  }
  if (const auto delta = shape_.match(text.type, text.data); !delta.empty())
    return take_known(delta, out);
  responses_event read;
  if (text.readable >= text.data.size() + json_padding && read_responses_event(text.data, read)) {
    if (!read.delta.empty())
      shape_.learn(text.type, read);
    return take(read, text.type, out);
  }
  const repaired_json copy{text.data};
  read = {};
  if (read_responses_event(copy.text(), read))
    return take(read, text.type, out);
  if (text.type == "error")
    return provider_error(200, text.data);
  return no_json(copy.text());
}

/// @param type of the server-sent event, for servers that name it only there
failure responses_answer::take(const responses_event& read, std::string_view type,
                               std::vector<event>& out) {
  const auto kind = read.kind_or(type);
  if (kind == responses_event_kind::error)
    return provider_error(200, read.json);
  if (kind == responses_event_kind::ended) {
    const auto named = json_string(read.type);
    return take_end(read.response, named.empty() ? type : named, out);
  }
  if (kind != responses_event_kind::other)
    return take_event(read, kind, out);
  const auto is_response = kind_of(read.output) == json_kind::array && !read.status.empty();
  if (!read.error.empty() && !is_response)
    return provider_error(200, read.json);
  if (begun_ || !is_response)
    return {}; // what the provider runs itself, and what is newer
  whole_ = true;
  return take_end(read.json, {}, out);
}

failure responses_answer::take_event(const responses_event& read, responses_event_kind kind,
                                     std::vector<event>& out) {
  begun_ = true;
  switch (kind) {
  case responses_event_kind::item_added:
    return begin_item(read.item, output_index(read), out);
  case responses_event_kind::item_done:
    return take_item(read.item, output_index(read), out);
  case responses_event_kind::arguments:
  case responses_event_kind::arguments_done:
    return take_arguments(read, kind == responses_event_kind::arguments_done, out);
  default:
    break;
  }
  const auto* of_text = text_event_of(kind);
  if (of_text == nullptr)
    return {};
  const part_text part{of_text->part, integer_of(read.part_index).value_or(0),
                       of_text->is_whole ? read.whole : read.delta, of_text->is_whole};
  return take_text(part, output_index(read), out);
}

size_t responses_answer::read_known_events(std::string_view stream, std::vector<event>& out) {
  size_t read = 0;
  std::string_view delta;
  while (auto bytes = shape_.match_event(stream.substr(read), delta)) {
    if (take_known(delta, out))
      break; // too many items: the usual way tells
    read += bytes;
  }
  return read;
}

/// Takes a delta of the known shape.
failure responses_answer::take_known(std::string_view delta, std::vector<event>& out) {
  const auto part = text_event_of(shape_.kind())->part;
  return take_text({part, shape_.part_index(), delta, false}, shape_.output_index(), out);
}

failure responses_answer::take_text(const part_text& part, int64_t index, std::vector<event>& out) {
  if (!is_text(part.literal))
    return {};
  const auto of = is_reasoning(part.kind) ? item_kind::reasoning : item_kind::message;
  const auto place = items_.current(of, index);
  if (items_.overflows())
    return responses_items::overflow();
  show(items_[place], part, out);
  return {};
}

/// Shows a text that is not empty, unless it is a whole one of which deltas came. Of reasoning that
/// an item has in two kinds the first one is shown.
void responses_answer::show(responses_item& of, const part_text& part, std::vector<event>& out) {
  const auto reasons = is_reasoning(part.kind);
  if (reasons && of.shows_other_than(part.kind))
    return;
  const auto first = of.show(part.kind, part.number);
  if (part.is_whole && !first)
    return;
  calls_.complete_closed(out);
  if (reasons && first && has_reasoning_) {
    pieces_.flush(out);
    out.emplace_back(reasoning_delta{"\n\n"});
  }
  pieces_.read(part.literal, reasons, out);
  has_reasoning_ = has_reasoning_ || reasons;
  has_text_ = has_text_ || part.kind == part_kind::text;
  refused_ = refused_ || part.kind == part_kind::refusal;
}

void responses_answer::complete(std::vector<event>& out) {
  pieces_.flush(out);
  calls_.complete_all(is_cut(reason()), out);
}

void responses_answer::complete_started(std::vector<event>& out) {
  pieces_.flush(out);
  calls_.complete_started(out);
}

model_end responses_answer::end() const {
  model_end made;
  made.reason = reason();
  made.raw_reason = raw_reason_;
  made.used = used_;
  made.provider_metadata = keep_items(items_.all(), sealed_for_);
  return made;
}

/// Decided by the content: what OpenAI calls completed may be calls, or a refusal.
finish_reason responses_answer::reason() const noexcept {
  const auto has_calls = calls_.any();
  if (cut_ && raw_reason_ == "content_filter")
    return finish_reason::content_filter;
  if (cut_ && (raw_reason_ == "max_output_tokens" || has_calls))
    return finish_reason::length; // the last call may be cut, whatever the reason
  if (cut_)
    return finish_reason::other;
  if (has_calls)
    return finish_reason::tool_calls;
  if (refused_ && !has_text_)
    return finish_reason::content_filter;
  // Clones say completed at the bound, too.
  if (max_tokens_ > 0 && used_.output_tokens >= max_tokens_)
    return finish_reason::length;
  return raw_reason_.empty() && !has_text_ ? finish_reason::other : finish_reason::stop;
}

} // namespace troupe
