#include "actors/turn/turn_answer.hpp"

#include <algorithm>

#include "messages/chat/tool_label.hpp"
#include "messages/chat/tool_name.hpp"
#include "messages/ids.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/ui/ui_tool_output.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"
#include "messages/wire/provider/call_repairs.hpp"

namespace troupe {

struct turn_answer::reader {
  turn_answer& self;
  const tool_set& tools;
  size_t bytes = 0;

  void operator()(text_delta& e) {
    bytes += e.text.size();
    self.message_.text += e.text;
    self.layout_.add(shown_run::text, e.text.size());
  }

  void operator()(reasoning_delta& e) {
    bytes += e.text.size();
    self.message_.reasoning += e.text;
    self.layout_.add(shown_run::reasoning, e.text.size());
  }

  void operator()(tool_args_start& e) { self.start(e, tools); }

  void operator()(tool_args_delta& e) {
    bytes += e.delta.size();
    self.rename(e.tool_call_id);
  }

  void operator()(tool_args_complete& e) { self.complete(e, tools); }

  template <class Other>
  void operator()(Other&) {}
};

void turn_answer::open() {
  message_ = {};
  message_.who = role::assistant;
  layout_.open();
  calls_.clear();
  open_.clear();
  renamed_.clear();
}

size_t turn_answer::read(std::vector<event>& events, const tool_set& tools) {
  reader into{*this, tools};
  for (auto& each : events)
    std::visit(into, each);
  return into.bytes;
}

void turn_answer::start(tool_args_start& e, const tool_set& tools) {
  call_repairs how; // logged when the call is complete
  const auto* tool = find_tool(e.tool_name, tools, how);
  name_call(e.tool_call_id, tool, tools);
  e.client_side = client_runs_tools_ || (tool != nullptr && tool->server.empty());
  if (tool != nullptr)
    e.title = label_of(*tool);
  open_.push_back(e);
  layout_.put_call(e.tool_call_id, e.title);
}

/// Returns the tool that is meant, and corrects the name.
const tool_definition* turn_answer::find_tool(std::string& name, const tool_set& tools,
                                              call_repairs& how) {
  const auto* tool = matching_tool(name, tools, how);
  if (how.any())
    name = tool->name;
  return tool;
}

/// Mends the arguments; the client is shown those that the call runs with.
void turn_answer::check_arguments(tool_args_complete& e, planned_call& made, call_repairs& how) {
  if (made.is_none()) {
    e.error = errc::tool_arguments_invalid;
    e.error_text = "The answer was cut before the arguments of " + e.tool_name + " came.";
    e.arguments.text = R"("")";
  } else if (!repair_arguments(made.call.arguments, how)) {
    e.error = errc::tool_arguments_invalid;
    e.error_text = "The arguments of " + e.tool_name + " are not a JSON object.";
    e.arguments.text = to_json(std::exchange(made.call.arguments, "{}"));
  } else {
    e.arguments.text = made.call.arguments;
  }
}

void turn_answer::complete(tool_args_complete& e, const tool_set& tools) {
  rename(e.tool_call_id);
  layout_.close();
  call_repairs how;
  const auto* tool = find_tool(e.tool_name, tools, how);
  if (tool != nullptr)
    e.title = label_of(*tool);
  const auto open = std::ranges::find(open_, e.tool_call_id, &tool_args_start::tool_call_id);
  if (open == open_.end()) {
    name_call(e.tool_call_id, tool, tools);
    layout_.put_call(e.tool_call_id, e.title);
  } else {
    open_.erase(open);
  }
  e.client_side = client_runs_tools_ || (tool != nullptr && tool->server.empty());
  replace_lone_halves(e.provider_metadata.text);
  auto& made = calls_.emplace_back();
  // The model may have invented the name, and providers refuse one that is not valid for a tool.
  made.call = {e.tool_call_id, tool ? e.tool_name : model_tool_name(e.tool_name),
               std::move(e.arguments.text), e.provider_metadata.text};
  made.call.client_side = e.client_side;
  check_arguments(e, made, how);
  if (tool == nullptr && !e.client_side && e.error == errc::none) {
    e.error = errc::tool_unknown;
    e.error_text = "There is no tool called " + e.tool_name + ".";
  }
  if (how.any())
    repaired_.push_back({made.call.name, how.text()});
  made.error = e.error;
  made.result = e.error_text;
  show_error(e, made);
  if (e.client_side) {
    made.stage = e.error == errc::none ? call_stage::offered : call_stage::ended;
  } else if (tool != nullptr) {
    made.server = tool->server;
    made.server_tool = tool->server_tool;
    made.approved = tool->approved;
    made.read_only = tool->read_only;
  }
}

/// Notes what the client is shown of a call that is not run, and of a name that had to change.
void turn_answer::show_error(const tool_args_complete& e, planned_call& made) {
  if (made.is_none())
    return layout_.replace_call(
        e.tool_call_id,
        make_shown("part",
                   broken_call_part({e.tool_call_id, e.tool_name, {}, {}, {}, e.client_side},
                                    e.title, e.error_text)));
  if (e.tool_name != made.call.name)
    made.shown.push_back(make_shown("name", e.tool_name));
  if (e.error == errc::none)
    return;
  made.shown.push_back(make_shown("input-error"));
  if (e.arguments.text != made.call.arguments)
    made.shown.push_back(make_shown("input", e.arguments.text));
}

/// Gives a call an id of ours where the model's would be another call's, or another conversation's:
/// some model servers count calls, and begin again with each answer or each conversation.
/// @param tool the one that is called, or nullptr if it is not known
void turn_answer::name_call(std::string& id, const tool_definition* tool, const tool_set& tools) {
  const auto may_hide =
      hides_rounds_ && !client_runs_tools_ && (tool == nullptr || tool->server.empty()) &&
      std::ranges::any_of(tools.tools, [](const auto& each) { return !each.server.empty(); });
  if (!may_hide && !is_used(id))
    return;
  auto fresh = make_id("call_");
  renamed_.emplace_back(id, fresh);
  id = std::move(fresh);
}

/// One id would mean two calls.
bool turn_answer::is_used(const std::string& id) const {
  return std::any_of(history_.begin(), history_.end(), [&](const auto& message) {
    return std::any_of(message.tool_calls.begin(), message.tool_calls.end(),
                       [&](const auto& call) { return call.id == id; });
  });
}

void turn_answer::rename(std::string& id) const {
  for (const auto& [old, fresh] : renamed_)
    if (old == id) {
      id = fresh;
      return;
    }
}

void turn_answer::close(errc error, const std::string& text, std::vector<event>& out) {
  for (const auto& each : open_) {
    const tool_call broken{each.tool_call_id, each.tool_name, {}, {}, {}, each.client_side};
    layout_.replace_call(each.tool_call_id,
                         make_shown("part", broken_call_part(broken, each.title, text)));
    out.emplace_back(tool_args_complete{each.tool_call_id,
                                        each.tool_name,
                                        {"\"\""},
                                        each.client_side,
                                        error,
                                        text,
                                        {},
                                        each.title});
  }
  open_.clear();
}

} // namespace troupe
