#include "tests/messages/wire/clients/ui/ui_stream_checker.hpp"

#include <map>

#include <simdjson.h>

namespace troupe::test {

namespace {

using simdjson::dom::element;

struct call {
  bool dynamic = false;
  bool streaming = false;
  bool available = false;
  bool asked = false; ///< for an approval
  bool has_output = false;
  bool in_last_step = true;
};

class checker {
public:
  checker(ui_profile profile, const std::set<std::string>& continued)
      : profile_{profile}, continued_{continued} {}

  /// Returns what is wrong with the next frame, or "".
  std::string next(const std::string& json);

  std::string end() const { return done_ ? "" : "no [DONE]"; }

private:
  std::string text(const element& chunk, const std::string& type);
  std::string tool_input(const element& chunk, const std::string& type);
  std::string tool_output(const element& chunk, const std::string& type);
  std::map<std::string, call>::iterator find_call(const std::string& id);
  std::string approval(const element& chunk);
  std::string step(const std::string& type);
  std::string terminal(const element& chunk, const std::string& type);
  std::string chunk(const element& chunk, const std::string& type);
  std::string foreign(const element& chunk, const std::string& type) const;
  bool resends() const;

  ui_profile profile_;
  const std::set<std::string>& continued_;
  std::map<std::string, std::string> open_texts_;
  std::map<std::string, call> calls_;
  bool started_ = false;
  bool in_step_ = false;
  bool failed_ = false;
  bool over_ = false;
  bool done_ = false;
};

std::string member(const element& chunk, const char* name) {
  std::string_view text;
  return chunk[name].get(text) ? "" : std::string{text};
}

std::string checker::text(const element& chunk, const std::string& type) {
  auto kind = type.substr(0, type.find('-'));
  auto id = member(chunk, "id");
  auto open = open_texts_.count(id) > 0 && open_texts_[id] == kind;
  if (id.empty() || !in_step_)
    return "a part without an id or a step";
  if (type == kind + "-start") {
    if (!open_texts_.emplace(id, kind).second)
      return "an id is opened twice";
  } else if (!open) {
    return "a delta or an end without its start";
  }
  if (type == kind + "-delta" && member(chunk, "delta").empty())
    return "an empty delta";
  if (type == kind + "-end")
    open_texts_.erase(id);
  return "";
}

std::string checker::tool_input(const element& chunk, const std::string& type) {
  auto id = member(chunk, "toolCallId");
  if (id.empty() || !in_step_)
    return "a call without an id or a step";
  auto& which = calls_[id];
  auto dynamic = chunk["dynamic"].error() == simdjson::SUCCESS;
  if (type == "tool-input-delta")
    return which.streaming && !which.available ? "" : "a delta outside of its call's input";
  if (member(chunk, "toolName").empty())
    return "a call without a name";
  if (!which.in_last_step)
    which = {}; // the client looks into the current step first
  if (type == "tool-input-start") {
    if (which.streaming || which.available)
      return "a call is started twice";
    which.streaming = true;
    which.dynamic = dynamic;
    return "";
  }
  if (which.available || which.has_output)
    return "a second input";
  if (which.streaming && which.dynamic != dynamic)
    return "dynamic changed";
  which.dynamic = dynamic;
  which.available = true;
  which.has_output = type == "tool-input-error";
  if (which.has_output && member(chunk, "errorText").empty())
    return "no errorText";
  return chunk["input"].error() ? "no input" : "";
}

std::map<std::string, call>::iterator checker::find_call(const std::string& id) {
  if (continued_.count(id) > 0)
    calls_.try_emplace(id, call{true, false, true, false, false, false});
  return calls_.find(id);
}

std::string checker::approval(const element& chunk) {
  auto at = find_call(member(chunk, "toolCallId"));
  if (at == calls_.end() || !in_step_ || !at->second.available)
    return "an approval of an unknown call";
  if (at->second.has_output || at->second.asked)
    return "an approval of a call that has its output or was asked for";
  at->second.asked = true;
  return member(chunk, "approvalId").empty() ? "no approvalId" : "";
}

std::string checker::tool_output(const element& chunk, const std::string& type) {
  auto at = find_call(member(chunk, "toolCallId"));
  if (at == calls_.end() || (!in_step_ && continued_.count(at->first) == 0))
    return "an output for an unknown call";
  if (at->second.has_output)
    return "a second output";
  auto dynamic = chunk["dynamic"].error() == simdjson::SUCCESS;
  if (type != "tool-output-denied" && dynamic != at->second.dynamic)
    return "dynamic changed";
  at->second.has_output = true;
  return "";
}

std::string checker::step(const std::string& type) {
  if ((type == "start-step") == in_step_)
    return "steps nest, or one ends twice";
  in_step_ = !in_step_;
  if (in_step_) {
    for (auto& [id, each] : calls_) {
      if (!each.has_output && continued_.count(id) == 0)
        return "a call stays open beyond its step";
      each.in_last_step = false;
    }
    return "";
  }
  for (auto& [id, each] : calls_)
    if (!each.has_output && !each.asked && (each.dynamic || !each.available))
      return "a call is open at the end of its step";
  return open_texts_.empty() ? "" : "a part is open at the end of its step";
}

/// Returns whether the client's lastAssistantMessageIsCompleteWithToolCalls holds.
bool checker::resends() const {
  bool has_calls = false;
  for (const auto& [id, each] : calls_) {
    if (each.in_last_step && !each.has_output)
      return false;
    has_calls |= each.in_last_step;
  }
  return has_calls;
}

std::string checker::terminal(const element& chunk, const std::string& type) {
  over_ = true;
  if (in_step_)
    return "the end within a step";
  if (!failed_ && resends())
    return "the client would send the chat again";
  if (type == "abort" || failed_)
    return "";
  element usage;
  return chunk["messageMetadata"]["usage"].get(usage) ? "a finish without metadata" : "";
}

/// Says what the profile does not have.
std::string checker::foreign(const element& chunk, const std::string& type) const {
  auto has = [&](const char* name) { return chunk[name].error() == simdjson::SUCCESS; };
  auto old = profile_ == ui_profile::v5_min;
  if (old && (type == "tool-input-error" || type == "tool-approval-request" ||
              type == "tool-output-denied"))
    return "a chunk that the profile does not have";
  if (type == "finish" && has("finishReason") == old)
    return "finishReason in the wrong profile";
  if (type == "abort" && has("reason") && profile_ != ui_profile::v7)
    return "a reason that the profile does not have";
  return "";
}

std::string checker::chunk(const element& chunk, const std::string& type) {
  auto is = [&](std::string_view prefix) { return type.rfind(prefix, 0) == 0; };
  if (type == "start-step" || type == "finish-step")
    return step(type);
  if (type == "finish" || type == "abort")
    return terminal(chunk, type);
  if (is("text-") || is("reasoning-"))
    return text(chunk, type);
  if (is("tool-input-"))
    return tool_input(chunk, type);
  if (type == "tool-output-available" || type == "tool-output-error" ||
      type == "tool-output-denied")
    return tool_output(chunk, type);
  if (type == "tool-approval-request" || type == "data-tool-approval-request")
    return approval(type[0] == 'd' ? chunk["data"] : chunk);
  if (is("data-"))
    return in_step_ || !continued_.empty() ? "" : "data outside of a step";
  failed_ |= type == "error";
  if (type == "error")
    return open_texts_.empty() ? "" : "an error while a part is open";
  return type == "start" ? "" : "an unknown type";
}

std::string checker::next(const std::string& json) {
  if (done_)
    return "something after [DONE]";
  if (json == "[DONE]") {
    done_ = true;
    return over_ ? "" : "[DONE] without finish or abort";
  }
  simdjson::dom::parser parser;
  simdjson::dom::object members;
  if (parser.parse(json).get(members))
    return "not a JSON object";
  for (auto [key, value] : members)
    if (value.is_null() && key != "input" && key != "output")
      return "a key is null";
  element chunk = parser.parse(json).value();
  auto type = member(chunk, "type");
  if (over_)
    return "something after the end";
  if ((type == "start") == started_)
    return "not exactly one start at the beginning";
  started_ = true;
  auto fault = foreign(chunk, type);
  return fault.empty() ? this->chunk(chunk, type) : fault;
}

} // namespace

std::vector<std::string> ui_frames(std::string_view stream) {
  std::vector<std::string> frames;
  constexpr std::string_view head = "data: ";
  while (!stream.empty()) {
    auto end = stream.find("\n\n");
    auto frame = stream.substr(0, end);
    auto good = end != std::string_view::npos && frame.substr(0, head.size()) == head &&
                frame.find_first_of("\r\n") == std::string_view::npos;
    frames.emplace_back(good ? std::string{frame.substr(head.size())}
                             : "BAD FRAME " + std::string{frame});
    stream.remove_prefix(end == std::string_view::npos ? stream.size() : end + 2);
  }
  return frames;
}

std::string ui_stream_fault(std::string_view stream, ui_profile profile,
                            const std::set<std::string>& continued) {
  checker check{profile, continued};
  size_t index = 0;
  for (const auto& frame : ui_frames(stream)) {
    if (auto fault = check.next(frame); !fault.empty())
      return "frame " + std::to_string(index) + " " + frame + ": " + fault;
    ++index;
  }
  return check.end();
}

} // namespace troupe::test
