// The calls, the final items and the end of an answer of the Responses API.
#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_usage.hpp"
#include "messages/wire/openai_responses/kept_items.hpp"
#include "messages/wire/openai_responses/responses_answer.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe {

namespace {

/// The members of a call's item, and its arguments as JSON text.
struct call_members {
  std::string id;
  std::string name;
  std::string arguments;
};

/// The text for a custom tool becomes {"input":"..."}: arguments are objects everywhere else.
call_members read_call(std::string_view item) {
  std::string_view id, call_id, name, arguments, input;
  read_members(item, {{"id", &id},
                      {"call_id", &call_id},
                      {"name", &name},
                      {"arguments", &arguments},
                      {"input", &input}});
  call_members read{json_string(call_id), json_string(name), argument_text(arguments)};
  if (read.id.empty())
    read.id = json_string(id);
  if (kind_of(input) == json_kind::string && input != R"("")")
    read.arguments = R"({"input":)" + std::string{input} + "}";
  return read;
}

responses_item_kind kind_of_item(std::string_view item) {
  std::string_view type;
  read_members(item, {{"type", &type}});
  return responses_item_kind_of(json_string(type));
}

/// A text of a list of parts, by its place.
using part_visitor = std::function<void(int64_t number, std::string_view text, bool refuses)>;

void for_each_part(std::string_view list, const part_visitor& visit) {
  int64_t number = 0;
  for_each_element(list, [&](std::string_view part) {
    std::string_view text, refusal;
    read_members(part, {{"text", &text}, {"refusal", &refusal}});
    const auto refuses = kind_of(refusal) == json_kind::string;
    const auto said = refuses ? refusal : text;
    if (kind_of(said) == json_kind::string && said != R"("")")
      visit(number, said, refuses);
    ++number;
    return true;
  });
}

} // namespace

failure responses_answer::begin_item(std::string_view item, int64_t index,
                                     std::vector<event>& out) {
  const auto kind = kind_of_item(item);
  const auto call = kind == responses_item_kind::call ? read_call(item) : call_members{};
  auto& of = items_[items_.begin(kind, index, call.id)];
  if (items_.overflows())
    return responses_items::overflow();
  if (kind != responses_item_kind::call)
    return {};
  // Arguments that stand here come again, in pieces or with the final item.
  return add_to_call(of, {call.id, call.name, {}}, out);
}

/// Adds what is new of a call to it.
failure responses_answer::add_to_call(responses_item& of, const call_text& more,
                                      std::vector<event>& out) {
  tool_call_piece piece;
  piece.index = items_.place_of(of);
  if (of.call_id.empty() && !more.id.empty())
    piece.id = of.call_id = more.id;
  if (!of.has_name)
    piece.name = more.name;
  piece.arguments = more.arguments;
  of.has_name = of.has_name || !more.name.empty();
  of.has_arguments = of.has_arguments || !more.arguments.empty();
  pieces_.flush(out);
  calls_.next_chunk();
  return calls_.add(piece, out);
}

failure responses_answer::take_arguments(const responses_event& read, bool is_whole,
                                         std::vector<event>& out) {
  const auto index = integer_of(read.output_index).value_or(-1);
  auto& of = items_[items_.current(responses_item_kind::call, index)];
  if (items_.overflows())
    return responses_items::overflow();
  if (is_whole && of.has_arguments)
    return {};
  const auto text = argument_text(is_whole ? read.whole : read.delta);
  return text.empty() ? failure{} : add_to_call(of, {{}, {}, text}, out);
}

/// Takes a final item: shows what no delta has shown, and keeps it.
failure responses_answer::take_item(std::string_view item, int64_t index, std::vector<event>& out) {
  const auto kind = kind_of_item(item);
  const auto call = kind == responses_item_kind::call ? read_call(item) : call_members{};
  auto& of = items_[items_.finish(kind, index, call.id)];
  if (items_.overflows())
    return responses_items::overflow();
  failure problem;
  if (kind == responses_item_kind::call)
    problem = add_to_call(
        of, {call.id, call.name, of.has_arguments ? std::string_view{} : call.arguments}, out);
  else
    take_content(of, item, out);
  of.done = true;
  of.kept = kept_item(of, item);
  calls_.complete_closed(out);
  return problem;
}

void responses_answer::take_content(responses_item& of, std::string_view item,
                                    std::vector<event>& out) {
  std::string_view content, summary;
  read_members(item, {{"content", &content}, {"summary", &summary}});
  if (of.kind == responses_item_kind::message)
    for_each_part(content, [&](int64_t number, std::string_view text, bool refuses) {
      const auto kind = refuses ? responses_part_kind::refusal : responses_part_kind::text;
      show(of, {kind, number, text, true}, out);
    });
  if (of.kind != responses_item_kind::reasoning)
    return;
  for_each_part(summary, [&](int64_t number, std::string_view text, bool) {
    show(of, {responses_part_kind::summary, number, text, true}, out);
  });
  for_each_part(content, [&](int64_t number, std::string_view text, bool) {
    show(of, {responses_part_kind::thought, number, text, true}, out);
  });
}

/// Takes a response that is over. @param type of the event that brought it; "" = none did
failure responses_answer::take_end(std::string_view response, std::string_view type,
                                   std::vector<event>& out) {
  const auto state = read_responses_state(response);
  auto status = json_string(state.status);
  // Clones send the last event with a status of before.
  if (!type.empty() && status != "incomplete" && status != "failed")
    status = type.substr(type.find('.') + 1);
  begun_ = true;
  if (auto counted = read_openai_usage(state.usage))
    used_.update(*counted);
  if (!state.error.empty())
    return provider_error(200, state.error);
  if (status == "in_progress" || status == "queued")
    return {errc::model_answer_invalid,
            fmt::format("The model sent a response that is \"{}\". Remove `background` from the "
                        "parameters: such an answer cannot be waited for.",
                        status)};
  if (status != "completed" && status != "incomplete")
    return {errc::model_failed,
            fmt::format("The model's answer ended as \"{}\", without saying why.",
                        excerpt(status, 40))};
  if (auto problem = take_output(state.output, out))
    return problem;
  over_ = true;
  cut_ = status == "incomplete";
  raw_reason_ = std::move(status);
  if (auto why = json_string(state.incomplete_reason); cut_ && !why.empty())
    raw_reason_ = std::move(why);
  max_tokens_ =
      static_cast<uint64_t>(std::max<int64_t>(integer_of(state.max_output_tokens).value_or(0), 0));
  return {};
}

/// Takes what the list of a response has and its stream had not: all of it, where there was none.
failure responses_answer::take_output(std::string_view output, std::vector<event>& out) {
  failure problem;
  int64_t index = 0;
  std::array<bool, 4> streamed{};
  for (const auto& each : items_.all())
    streamed[static_cast<size_t>(each.kind)] = true;
  for_each_element(output, [&](std::string_view item) {
    const auto kind = kind_of_item(item);
    if (!streamed[static_cast<size_t>(kind)] || items_.is_open(kind, index))
      problem = take_item(item, index, out);
    ++index;
    return !problem;
  });
  return problem;
}

} // namespace troupe
