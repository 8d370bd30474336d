#include "apps/model/anthropic/anthropic_history_check.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"

namespace troupe::scripted {

namespace {

/// The walk over one history; the views point into the parsed request.
class message_walk {
public:
  failure message(element what);
  failure end(bool may_go_on) const;

private:
  failure content(element what);
  failure block(object fields, const std::string& place);
  failure settled() const;

  failure refused(std::string_view why) const {
    return invalid_request(fmt::format("messages.{}: {}", index_, why));
  }

  size_t index_ = 0;
  std::string_view role_;               // of the message that is read
  std::string_view last_;               // of the message before; "" = none
  std::vector<std::string_view> open_;  // ids of tool_use blocks of the message before
  std::vector<std::string_view> asked_; // of the message that is read
  std::set<std::string_view> ids_;      // of all
  bool results_only_ = true;            // nothing but results came in the message so far
};

failure message_walk::settled() const {
  if (open_.empty())
    return {};
  return refused(fmt::format("`tool_use` ids were found without `tool_result` blocks immediately "
                             "after: {}. Each `tool_use` block must have a corresponding "
                             "`tool_result` block in the next message.",
                             open_.front()));
}

failure message_walk::block(object fields, const std::string& place) {
  const auto type = string_in(fields, "type");
  if (type == "tool_use") {
    const auto id = string_in(fields, "id");
    if (!ids_.insert(id).second)
      return invalid_request(fmt::format("{}: `tool_use` ids must be unique", place));
    asked_.push_back(id);
  } else if (type == "tool_result") {
    const auto id = string_in(fields, "tool_use_id");
    const auto found = std::find(open_.begin(), open_.end(), id);
    if (found == open_.end())
      return invalid_request(fmt::format("{}: unexpected `tool_use_id` found in `tool_result` "
                                         "blocks: {}. Each `tool_result` block must have a "
                                         "corresponding `tool_use` block in the previous message.",
                                         place, id));
    open_.erase(found);
    if (!results_only_)
      return invalid_request(
          fmt::format("{}: `tool_result` blocks must come before all others", place));
    return {};
  }
  results_only_ = false;
  return {};
}

failure message_walk::content(element what) {
  std::string_view text;
  if (what.get(text) == simdjson::SUCCESS)
    return is_blank(text) ? refused("all messages must have non-empty content") : settled();
  array blocks;
  if (what.get(blocks) != simdjson::SUCCESS || blocks.size() == 0)
    return refused("all messages must have non-empty content");
  size_t at = 0;
  results_only_ = true;
  for (element each : blocks) {
    const auto place = fmt::format("messages.{}.content.{}", index_, at++);
    if (auto bad = check_anthropic_block(each, role_, place))
      return bad;
    object fields;
    if (each.get(fields) == simdjson::SUCCESS)
      if (auto bad = block(fields, place))
        return bad;
  }
  return settled();
}

failure message_walk::message(element what) {
  object fields;
  if (what.get(fields) != simdjson::SUCCESS)
    return refused("Input should be an object");
  if (const auto other = unknown_key(fields, {"role", "content"}); !other.empty())
    return invalid_request(
        fmt::format("messages.{}.{}: Extra inputs are not permitted", index_, other));
  role_ = string_in(fields, "role");
  if (role_ != "user" && role_ != "assistant")
    return refused("role: Input should be 'user' or 'assistant'");
  if (last_.empty() && role_ != "user")
    return refused("first message must use the \"user\" role");
  if (role_ == last_)
    return refused("roles must alternate between \"user\" and \"assistant\", but found multiple "
                   "of one role in a row");
  element found;
  if (!find(fields, "content", found))
    return refused("content: Field required");
  if (auto bad = content(found))
    return bad;
  open_ = std::move(asked_);
  asked_.clear();
  last_ = role_;
  ++index_;
  return {};
}

failure message_walk::end(bool may_go_on) const {
  if (auto bad = settled())
    return bad;
  if (last_ == "assistant" && !may_go_on)
    return invalid_request("This model does not support assistant message prefill. The "
                           "conversation must end with a user message.");
  return {};
}

} // namespace

failure check_anthropic_history(array messages, bool may_go_on) {
  message_walk walk;
  for (element each : messages)
    if (auto bad = walk.message(each))
      return bad;
  if (messages.size() == 0)
    return invalid_request("messages: at least one message is required");
  return walk.end(may_go_on);
}

} // namespace troupe::scripted
