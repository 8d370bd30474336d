#include "messages/wire/anthropic/anthropic.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/tool_definition.hpp"
#include "messages/json.hpp"
#include "messages/wire/anthropic/anthropic_answer.hpp"
#include "messages/wire/anthropic/anthropic_messages.hpp"
#include "messages/wire/anthropic/anthropic_parameters.hpp"
#include "messages/wire/anthropic/anthropic_schema.hpp"
#include "messages/wire/history/refused_turns.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/earlier_reasoning.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

// -- anthropic tools ------------------------------------------------------------------------------

namespace {

constexpr size_t max_tool_nodes = 100'000;
constexpr size_t max_property_bytes = 64;
constexpr size_t max_strict_tools = 20; ///< with more, every request is refused

/// Returns whether the API takes it as the name of a parameter: ^[a-zA-Z0-9_.-]{1,64}$.
bool is_property_name(std::string_view name) {
  return !name.empty() && name.size() <= max_property_bytes &&
         std::ranges::all_of(name, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '_' || c == '.' || c == '-';
         });
}

/// A schema and what it cannot hold.
struct tool_parameters {
  std::string schema;
  std::string told; ///< properties that the schema cannot hold, as JSON members
};

void drop_required(json_node& schema) {
  auto* required = member_of(schema, "required");
  if (required == nullptr)
    return;
  std::erase_if(required->children,
                [](const json_node& each) { return !is_property_name(each.text); });
  if (required->children.empty())
    remove_member(schema, "required");
}

/// Takes the properties with other names out of the schema, and lets the object have more members.
tool_parameters usable_parameters(std::string_view schema) {
  tool_parameters made{std::string{schema}, {}};
  auto tree = read_json_tree(schema, max_tool_nodes);
  auto* properties = tree ? member_of(*tree, "properties") : nullptr;
  if (properties == nullptr ||
      std::ranges::all_of(properties->children, is_property_name,
                          [](const json_node& each) { return std::string_view{each.key}; }))
    return made;
  std::vector<json_node> kept;
  for (auto& each : properties->children) {
    if (is_property_name(each.key)) {
      kept.push_back(std::move(each));
      continue;
    }
    json_buffer value;
    append_json(value, each);
    made.told.append(made.told.empty() ? "" : ",");
    made.told.append(to_json(each.key)).append(":").append(view(value));
  }
  properties->children = std::move(kept);
  drop_required(*tree);
  remove_member(*tree, "additionalProperties");
  json_buffer out;
  append_json(out, *tree);
  made.schema = std::string{view(out)};
  return made;
}

void append_tool(json_buffer& out, const usable_tool& each, bool strict) {
  auto [schema, told] = usable_parameters(each.schema);
  auto description = each.description;
  if (!told.empty())
    description.append(description.empty() ? "" : "\n\n")
        .append("It also takes these parameters, whose names its schema cannot hold: {")
        .append(told)
        .append("}");
  append_raw(out, out.size() == 1 ? R"({"name":)" : R"(,{"name":)");
  append_json(out, each.tool.name);
  if (!description.empty()) {
    append_raw(out, R"(,"description":)");
    append_json(out, description);
  }
  strict = strict && each.tool.strict && told.empty();
  append_raw(out, R"(,"input_schema":)");
  append_raw(out, strict ? anthropic_schema(schema) : schema);
  append_raw(out, strict ? R"(,"strict":true})" : "}");
}

std::string write_tools(const std::vector<tool_definition>& tools, bool strict) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&](const usable_tool& each) { append_tool(out, each, strict); });
  out.push_back(']');
  return std::string{view(out)};
}

/// Returns the array of tools; "[]" if none is usable. A parameter whose name the API refuses
/// stands in the description: the model may still use it. Gives the same bytes for the same tools.
std::string anthropic_tools(const std::vector<tool_definition>& tools) {
  return write_tools(tools, false);
}

/// The same with `strict` for the tools that ask for it, for models that take it. Their schemas are
/// those of anthropic_schema().
std::string anthropic_strict_tools(const std::vector<tool_definition>& tools) {
  const auto strict = std::ranges::count_if(tools, &tool_definition::strict);
  return write_tools(tools, static_cast<size_t>(strict) <= max_strict_tools);
}

// -- anthropic ------------------------------------------------------------------------------------

constexpr std::string_view api_version = "2023-06-01";
constexpr std::string_view version_field = "anthropic-version";

/// The parts of one body, as they depend on each other.
class body_writer {
public:
  explicit body_writer(const model_request& asked)
      : asked_{asked}, model_{anthropic_model_of(model_name(asked.model))},
        parameters_{read_parameters(asked)} {}

  std::string write();

private:
  void system(std::string_view text);
  void tools(const std::vector<std::string>& called);
  void absent_tools(const std::vector<std::string>& called);
  std::string_view rendered_tools() const;
  bool forces_call() const {
    return parameters_.tool_choice == tool_choice_mode::required ||
           parameters_.tool_choice == tool_choice_mode::named;
  }

  const model_request& asked_;
  anthropic_model model_;
  request_parameters parameters_;
  json_buffer out_;
  bool marks_ = false;
  bool marks_tools_ = false; ///< there is no system message to be marked
  bool has_tools_ = false;
};

/// A request that asks for caching in the provider's own words gets no marks of ours beside it. The
/// messages come first: they decide whether the model can think.
std::string body_writer::write() {
  const auto kept = without_refused_turns(asked_.history);
  const request_history history{kept ? *kept : asked_.history, asked_.system,
                                anthropic_history_rules(asked_)};
  marks_ =
      asked_.model.generation.cache && find_member(parameters_.others, "cache_control") == nullptr;
  append_raw(out_, R"({"model":)");
  append_json(out_, model_name(asked_.model));
  append_raw(out_, R"(,"messages":)");
  const auto facts = append_anthropic_messages(out_, asked_, history, marks_);
  marks_tools_ = marks_ && history.system().empty();
  tools(facts.called);
  if (!history.system().empty())
    system(history.system());
  const auto by_budget = model_.thinking == anthropic_thinking_style::budget ||
                         model_.thinking == anthropic_thinking_style::either;
  const auto may_think = !forces_call() && !(by_budget && facts.loop_lacks_thoughts);
  const auto thinking = decide_thinking(parameters_, model_, may_think);
  append_raw(out_, fmt::format(R"(,"max_tokens":{})", thinking.max_tokens));
  append_raw(out_, streams(asked_) ? R"(,"stream":true)" : R"(,"stream":false)");
  append_anthropic_parameters(out_, std::move(parameters_), thinking, model_, has_tools_);
  out_.push_back('}');
  return std::string{view(out_)};
}

void body_writer::system(std::string_view text) {
  append_raw(out_, R"(,"system":[{"type":"text","text":)");
  append_json(out_, text);
  if (marks_)
    append_raw(out_, anthropic_cache_mark);
  append_raw(out_, "}]");
}

std::string_view body_writer::rendered_tools() const {
  if (!asked_.has_tools())
    return {};
  const auto how = model_.takes_strict ? anthropic_strict_tools : anthropic_tools;
  return asked_.tools->rendered.get(how, asked_.tools->tools);
}

/// A mark stands in the last tool; the text of the tools is shared by all requests.
void body_writer::tools(const std::vector<std::string>& called) {
  auto rendered = rendered_tools();
  has_tools_ = rendered.size() > 2;
  if (!has_tools_)
    return absent_tools(called);
  append_raw(out_, R"(,"tools":)");
  if (!marks_tools_)
    return append_raw(out_, rendered);
  append_raw(out_, rendered.substr(0, rendered.size() - 2));
  append_raw(out_, anthropic_cache_mark);
  append_raw(out_, rendered.substr(rendered.size() - 2));
}

/// Calls in the history want tools in the request, even where there are none any more.
void body_writer::absent_tools(const std::vector<std::string>& called) {
  parameters_.tool_choice = tool_choice_mode::unset;
  if (called.empty())
    return;
  append_raw(out_, R"(,"tools":[)");
  for (const auto& each : called) {
    append_raw(out_, &each == called.data() ? R"({"name":)" : R"(,{"name":)");
    append_json(out_, each);
    append_raw(out_, R"(,"description":"Cannot be called now.",)"
                     R"("input_schema":{"type":"object","properties":{}}})");
  }
  out_.push_back(']');
  has_tools_ = true;
  parameters_.tool_choice = tool_choice_mode::none;
}

/// Returns the address: a base that ends with the version is taken as it is.
std::string make_url(std::string_view base) {
  auto path = base.substr(0, base.find('?'));
  while (path.ends_with('/'))
    path.remove_suffix(1);
  const auto has_version = path.ends_with("/v1") || path.ends_with("/v1/messages");
  return method_url(base, has_version ? "/messages" : "/v1/messages");
}

http_request make_request(const model_request& asked) {
  const auto& model = asked.model;
  header key;
  if (!model.api_key.empty())
    key = {"x-api-key", model.api_key};
  auto request =
      json_request(asked, make_url(model.base_url), std::move(key), body_writer{asked}.write());
  if (!has_field(request.fields, version_field))
    request.fields.push_back({std::string{version_field}, std::string{api_version}});
  return request;
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<answer_decoder>(
      std::make_unique<anthropic_answer>(std::string{model_name(model)}, std::move(id_prefix)));
}

std::string check(const model_config& model) {
  const auto& asked = model.generation;
  constexpr auto least = anthropic_thinking::least_budget;
  if (asked.reasoning_budget > 0 && asked.reasoning_budget < least)
    return fmt::format("reasoning: a budget of {} tokens is too small; these models think with at "
                       "least {}, or not at all with 0",
                       asked.reasoning_budget, least);
  if (asked.max_output_tokens > 0 && asked.reasoning_budget >= asked.max_output_tokens)
    return fmt::format("reasoning: the budget of {} tokens must be less than maxOutputTokens ({}), "
                       "which counts the thoughts, too",
                       asked.reasoning_budget, asked.max_output_tokens);
  if (model.audio)
    return "audio: these models take images and documents, but no audio; leave it out";
  return {};
}

/// Anthropic's own reasoning is sealed, and goes back as it came.
bool learn(const model_config& model, std::string_view refusal) {
  return model.base_url.find("anthropic.com") == std::string::npos &&
         learn_earlier_reasoning(model, refusal);
}

} // namespace

const provider anthropic{
    .name = "anthropic",
    .make_request = make_request,
    .make_decoder = make_decoder,
    .base_url = "https://api.anthropic.com",
    .environment = {.key = "ANTHROPIC_API_KEY",
                    .base_url = "ANTHROPIC_BASE_URL",
                    .model = "ANTHROPIC_MODEL"},
    .files = {.images = true, .documents = true},
    .usual_model = "claude-sonnet-4-5",
    .check = check,
    .learn = learn,
};

} // namespace troupe
