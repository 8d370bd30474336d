// The calls of an answer: whole, or with arguments that come as values.
#include <fmt/format.h>

#include "messages/wire/gemini/gemini_answer.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe {

namespace {

/// The members of a call.
struct call_members {
  std::string_view id, name, args, partial, continues;

  /// Returns whether its arguments come as values, in this part or later.
  bool in_pieces() const {
    return is_nothing(args) && (!is_nothing(partial) || continues == "true");
  }
};

call_members members_of(std::string_view call) {
  call_members read;
  read_members(call, {{"id", &read.id},
                      {"name", &read.name},
                      {"args", &read.args},
                      {"partialArgs", &read.partial},
                      {"willContinue", &read.continues}});
  return read;
}

} // namespace

failure gemini_answer::take_call(const gemini_part& part, std::vector<event>& out) {
  const auto call = members_of(part.call);
  const auto has_name = kind_of(call.name) == json_kind::string && call.name.size() > 2;
  if (has_name || !open_) {
    if (!has_name && is_nothing(call.args) && !call.in_pieces() && part.signature.empty())
      return {}; // the end of a call that is not open
    if (auto problem = begin_call(part, out))
      return problem;
  }
  if (!open_)
    return {};
  failure problem;
  for_each_element(call.partial, [&](std::string_view each) {
    std::string text;
    if (!open_->add(each, text))
      problem = {errc::model_answer_invalid,
                 fmt::format("The model sent arguments of a call in an order that cannot be read: "
                             "{}",
                             excerpt(each))};
    else
      problem = add_arguments(text, out);
    return !problem;
  });
  return problem || call.in_pieces() ? problem : end_call(out);
}

/// Begins a call; one that is whole is done with that.
failure gemini_answer::begin_call(const gemini_part& part, std::vector<event>& out) {
  if (auto problem = end_call(out))
    return problem;
  if (said_ == finish_reason::error)
    return {};
  pieces_.flush(out);
  const auto call = members_of(part.call);
  const auto id = json_string(call.id);
  const auto name = tool_name_of_gemini(json_string(call.name));
  if (call.in_pieces()) {
    parts_.begin_call(part);
    open_.emplace();
  } else {
    parts_.add_call(part);
  }
  const auto arguments = open_ ? std::string_view{} : is_nothing(call.args) ? "{}" : call.args;
  return calls_.add({++call_, id, name, arguments}, out);
}

failure gemini_answer::add_arguments(std::string_view text, std::vector<event>& out) {
  parts_.add_arguments(text);
  return calls_.add({call_, {}, {}, text}, out);
}

failure gemini_answer::end_call(std::vector<event>& out) {
  if (!open_)
    return {};
  std::string rest;
  open_->finish(rest);
  open_.reset();
  auto problem = add_arguments(rest, out);
  parts_.end_call();
  return problem;
}

} // namespace troupe
