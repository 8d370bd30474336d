#include "tests/messages/wire/anthropic/anthropic_request_check.hpp"

#include <set>

#include <fmt/format.h>

#include "messages/wire/json/json_tree.hpp"
#include "tests/messages/wire/anthropic/anthropic_faults.hpp"
#include "tests/messages/wire/anthropic/anthropic_messages_check.hpp"
#include "tests/support/history_rules.hpp"

namespace troupe::test {

namespace {

/// Checks all of a body but its messages.
class anthropic_head_check {
public:
  anthropic_head_check(const json_node& body, anthropic_faults& into) : body_{body}, faults_{into} {
    top(body);
    tools();
    thinking();
  }

  bool by_budget() const { return by_budget_; }

private:
  void top(const json_node& body) {
    faults_.only(body, {"model",
                        "max_tokens",
                        "messages",
                        "stream",
                        "system",
                        "tools",
                        "tool_choice",
                        "thinking",
                        "output_config",
                        "temperature",
                        "top_p",
                        "top_k",
                        "metadata",
                        "stop_sequences",
                        "service_tier",
                        "container",
                        "cache_control",
                        "inference_geo",
                        "context_management",
                        "mcp_servers"});
    faults_.require(!anthropic_text(body, "model").empty(), "model is missing");
    const auto* bound = body.find("max_tokens");
    faults_.require(bound != nullptr && bound->kind == json_kind::number &&
                        wide_number(*bound) >= 1,
                    "max_tokens is missing");
    for (auto key : {"temperature", "top_p"})
      if (const auto* value = body.find(key))
        faults_.require(value->kind == json_kind::number && wide_number(*value) >= 0 &&
                            wide_number(*value) <= 1,
                        std::string{key} + " is not within 0 and 1");
    if (const auto* stops = body.find("stop_sequences"))
      for (const auto& each : stops->children)
        faults_.require(each.kind == json_kind::string && !is_blank(each.text),
                        "a stop sequence is blank");
    if (const auto* metadata = body.find("metadata"))
      faults_.only(*metadata, {"user_id"});
    if (const auto* config = body.find("output_config"))
      faults_.only(*config, {"effort", "format"});
    if (const auto* system = body.find("system"))
      for (const auto& each : system->children)
        faults_.text(each, {"type", "text", "cache_control"});
  }

  void tools() {
    const auto* list = body_.find("tools");
    if (const auto* choice = body_.find("tool_choice")) {
      faults_.only(*choice, {"type", "name", "disable_parallel_tool_use"});
      faults_.require(list != nullptr, "tool_choice without tools");
    }
    if (list == nullptr)
      return;
    faults_.require(!list->children.empty(), "tools are empty");
    for (const auto& each : list->children) {
      faults_.only(each, {"name", "description", "input_schema", "cache_control", "strict"});
      const auto name = anthropic_text(each, "name");
      faults_.require(is_tool_name(name) && tools_.insert(name).second, "the tool's name " + name);
      const auto* schema = each.find("input_schema");
      faults_.require(schema != nullptr && anthropic_text(*schema, "type") == "object",
                      "no schema of an object");
      if (schema == nullptr)
        continue;
      for (auto key : {"anyOf", "oneOf", "allOf"})
        faults_.require(schema->find(key) == nullptr, std::string{key} + " at the top of a schema");
      if (const auto* properties = schema->find("properties"))
        for (const auto& property : properties->children)
          faults_.require(is_anthropic_id(property.key, ".") && property.key.size() <= 64,
                          "the property's key " + property.key);
    }
  }

  void thinking() {
    const auto* node = body_.find("thinking");
    if (node == nullptr)
      return;
    faults_.only(*node, {"type", "budget_tokens", "display"});
    const auto type = anthropic_text(*node, "type");
    const auto thinks = type == "enabled" || type == "adaptive";
    by_budget_ = type == "enabled";
    const auto* budget = node->find("budget_tokens");
    if (by_budget_)
      faults_.require(budget != nullptr && wide_number(*budget) >= 1024 &&
                          wide_number(*budget) < wide_number(*body_.find("max_tokens")),
                      "the budget of thinking");
    if (!thinks)
      return;
    const auto* temperature = body_.find("temperature");
    const auto* top_p = body_.find("top_p");
    faults_.require(temperature == nullptr || wide_number(*temperature) == 1,
                    "temperature with thinking");
    faults_.require(body_.find("top_k") == nullptr, "top_k with thinking");
    faults_.require(top_p == nullptr || wide_number(*top_p) >= 0.95L, "top_p with thinking");
    if (const auto* choice = body_.find("tool_choice")) {
      const auto mode = anthropic_text(*choice, "type");
      faults_.require(mode == "auto" || mode == "none", "a forced call with thinking");
    }
  }

  const json_node& body_;
  anthropic_faults& faults_;
  std::set<std::string> tools_;
  bool by_budget_ = false;
};

} // namespace

std::vector<std::string> anthropic_request_faults(std::string_view body, bool was_paused) {
  const auto tree = read_json_tree(body, 1'000'000);
  if (!tree || tree->kind != json_kind::object)
    return {"the body is no JSON object"};
  anthropic_faults faults;
  const anthropic_head_check head{*tree, faults};
  check_anthropic_messages(*tree, {head.by_budget(), was_paused}, faults);
  faults.where.clear();
  faults.require(faults.marks <= 4, fmt::format("{} cache marks", faults.marks));
  return faults.list;
}

} // namespace troupe::test
