#include "tests/messages/wire/openai_responses/openai_responses_request_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "tests/support/history_rules.hpp"

namespace troupe::test {

namespace {

/// Reads one body; throws std::runtime_error at the first thing that would be refused.
class responses_request_reader {
public:
  explicit responses_request_reader(std::string_view body)
      : body_(read_json_tree(body, 1'000'000)) {
    require(body_ && body_->kind == json_kind::object, "the body is no JSON object");
    only(*body_, {"model",
                  "input",
                  "instructions",
                  "tools",
                  "tool_choice",
                  "temperature",
                  "max_output_tokens",
                  "parallel_tool_calls",
                  "top_p",
                  "reasoning",
                  "text",
                  "include",
                  "store",
                  "stream",
                  "truncation",
                  "metadata",
                  "top_logprobs",
                  "max_tool_calls",
                  "prompt_cache_key",
                  "prompt_cache_retention",
                  "service_tier",
                  "user",
                  "safety_identifier"});
    require(!string_of(*body_, "model").empty(), "no model");
    if (const auto* instructions = body_->find("instructions"))
      require(!is_blank(instructions->text), "the instructions are blank");
    kind(*body_, "store", json_kind::boolean);
    require(body_->find("store") != nullptr && body_->find("store")->is(false),
            "not stateless: store is not false");
    kind(*body_, "stream", json_kind::boolean);
    bound();
    tools();
    include();
    input();
  }

private:
  using node = json_node;

  static void require(bool holds, const std::string& what) {
    if (!holds)
      throw std::runtime_error(what);
  }

  /// No other members, and none twice.
  static void only(const node& object, std::initializer_list<std::string_view> known) {
    std::set<std::string_view> keys;
    for (const auto& each : object.children) {
      require(std::ranges::find(known, each.key) != known.end(),
              "Unknown parameter: '" + each.key + "'");
      require(keys.insert(each.key).second, each.key + " is there twice");
    }
  }

  static const std::string& string_of(const node& object, std::string_view key) {
    const auto* found = object.find(key);
    require(found != nullptr && found->kind == json_kind::string,
            std::string{key} + " is no string");
    return found->text;
  }

  static const std::vector<node>& list_of(const node& object, std::string_view key) {
    const auto* found = object.find(key);
    require(found != nullptr && found->kind == json_kind::array, std::string{key} + " is no list");
    return found->children;
  }

  static void kind(const node& object, std::string_view key, json_kind wanted) {
    const auto* found = object.find(key);
    require(found == nullptr || found->kind == wanted, std::string{key} + " has a wrong type");
  }

  void bound() const {
    kind(*body_, "max_output_tokens", json_kind::number);
    if (const auto* found = body_->find("max_output_tokens"))
      require(wide_number(*found) >= 16, "max_output_tokens is below 16");
    if (const auto* reasoning = body_->find("reasoning"))
      only(*reasoning, {"effort", "summary"});
    if (const auto* text = body_->find("text"))
      only(*text, {"format", "verbosity"});
  }

  void tools() const {
    if (body_->find("tools") == nullptr) {
      require(body_->find("tool_choice") == nullptr, "tool_choice without tools");
      require(body_->find("parallel_tool_calls") == nullptr, "parallel calls without tools");
      return;
    }
    std::set<std::string> names;
    require(!list_of(*body_, "tools").empty(), "tools is empty");
    for (const auto& each : list_of(*body_, "tools")) {
      only(each, {"type", "name", "description", "parameters", "strict"});
      require(string_of(each, "type") == "function", "a tool is no function");
      const auto& name = string_of(each, "name");
      require(is_tool_name(name) && names.insert(name).second, name + " is no name, or not new");
      require(each.find("strict") != nullptr, "strict is left out, which means true");
      const auto* schema = each.find("parameters");
      require(schema != nullptr && schema->kind == json_kind::object &&
                  string_of(*schema, "type") == "object",
              "parameters are no schema of an object");
      for (auto word : {"oneOf", "anyOf", "allOf", "enum", "not"})
        require(schema->find(word) == nullptr, std::string{word} + " at the top of a schema");
    }
  }

  void include() const {
    if (body_->find("include") != nullptr)
      for (const auto& each : list_of(*body_, "include"))
        require(each.text == "reasoning.encrypted_content", "include has " + each.text);
  }

  void input() {
    const auto& items = list_of(*body_, "input");
    require(!items.empty(), "input is empty");
    for (size_t i = 0; i < items.size(); ++i)
      try {
        item(items[i]);
      } catch (const std::runtime_error& fault) {
        throw std::runtime_error(fmt::format("input[{}]: {}", i, fault.what()));
      }
    require(reasons_.empty(), "reasoning without its required following item");
    require(open_.empty(), "No tool output found for a function call");
    require(!ends_with_answer_, "an answer at the end");
  }

  void item(const node& each) {
    require(each.kind == json_kind::object, "no object");
    if (each.find("role") != nullptr)
      return message(each);
    const auto& type = string_of(each, "type");
    if (type == "reasoning")
      reasoning(each);
    else if (type == "function_call")
      call(each);
    else if (type == "function_call_output")
      output(each);
    else
      require(false, "an item of the type " + type);
  }

  void message(const node& each) {
    const auto& role = string_of(each, "role");
    only(each, {"role", "content", "phase"});
    require(role == "user" || role == "assistant", "the role " + role);
    const auto is_answer = role == "assistant";
    require(is_answer || reasons_.empty(), "reasoning without its required following item");
    require(is_answer || open_.empty(), "a message between a call and its output");
    require(is_answer || each.find("phase") == nullptr, "a phase of a user");
    content(*member(each, "content"), is_answer);
    reasons_.clear();
    ends_with_answer_ = is_answer;
    require(begun_ || !is_answer, "an answer at the beginning");
    begun_ = true;
  }

  static const node* member(const node& object, std::string_view key) {
    require(object.find(key) != nullptr, std::string{key} + " is missing");
    return object.find(key);
  }

  void content(const node& what, bool is_answer) {
    if (what.kind == json_kind::string)
      return require(!is_blank(what.text), "a blank text");
    require(what.kind == json_kind::array && !what.children.empty(), "content is empty");
    for (const auto& each : what.children)
      if (is_answer)
        answer_part(each);
      else
        input_part(each);
  }

  static void answer_part(const node& each) {
    const auto& type = string_of(each, "type");
    require(type == "output_text" || type == "refusal", type + " in an answer");
    only(each, {"type", type == "refusal" ? "refusal" : "text"});
    require(!string_of(each, type == "refusal" ? "refusal" : "text").empty(), "an empty text");
  }

  static void input_part(const node& each) {
    const auto& type = string_of(each, "type");
    if (type == "input_text") {
      only(each, {"type", "text"});
      return require(!is_blank(string_of(each, "text")), "a part has a blank text");
    }
    if (type == "input_image") {
      only(each, {"type", "image_url", "detail"});
      return url(string_of(each, "image_url"),
                 {"image/png", "image/jpeg", "image/gif", "image/webp"});
    }
    if (type == "input_audio") {
      only(each, {"type", "input_audio"});
      return require(each.find("input_audio")->find("data") != nullptr, "a sound without data");
    }
    require(type == "input_file", "a part of the type " + type);
    only(each, {"type", "filename", "file_data", "file_url"});
    if (each.find("file_url") != nullptr)
      return require(string_of(each, "file_url").starts_with("http"), "file_url is no URL");
    require(!string_of(each, "filename").empty(), "a file without a name");
    url(string_of(each, "file_data"), {"application/pdf"});
  }

  static void url(const std::string& text, std::initializer_list<std::string_view> types) {
    if (text.starts_with("https://") || text.starts_with("http://"))
      return require(types.size() > 1, "file_data is no data: URL");
    const auto known = std::ranges::any_of(
        types, [&](auto each) { return text.starts_with(fmt::format("data:{};base64,", each)); });
    require(known && text.size() > text.find(',') + 1, "not such a file: " + text.substr(0, 60));
  }

  void reasoning(const node& each) {
    only(each, {"type", "summary", "content", "encrypted_content"}); // an id is looked up
    for (const auto& part : list_of(each, "summary"))
      require(string_of(part, "type") == "summary_text", "a summary of another type");
    require(each.find("encrypted_content") != nullptr || each.find("content") != nullptr,
            "reasoning of which nothing is left");
    kind(each, "encrypted_content", json_kind::string);
    require(open_.empty() || !answered_, "reasoning between outputs");
    reasons_.push_back(&each);
  }

  void call(const node& each) {
    only(each, {"type", "call_id", "name", "arguments"});
    const auto& id = string_of(each, "call_id");
    require(!id.empty() && id.size() <= 64, "a call_id of " + std::to_string(id.size()));
    require(ids_.insert(id).second, id + " is used twice");
    require(is_tool_name(string_of(each, "name")), "a call of " + string_of(each, "name"));
    require(is_json_object(string_of(each, "arguments")), "arguments that are no object");
    require(!answered_, "a call between outputs");
    require(begun_, "a call at the beginning");
    open_.insert(id);
    reasons_.clear();
  }

  void output(const node& each) {
    only(each, {"type", "call_id", "output"});
    require(reasons_.empty(), "reasoning without its required following item");
    require(open_.erase(string_of(each, "call_id")) == 1, "No tool call found for an output");
    content(*member(each, "output"), false);
    answered_ = !open_.empty();
    ends_with_answer_ = false;
  }

  std::optional<node> body_;
  std::vector<const node*> reasons_; ///< that wait for their item
  std::set<std::string> open_;       ///< calls without an output
  std::set<std::string> ids_;
  bool answered_ = false; ///< some of the open calls have outputs
  bool begun_ = false;
  bool ends_with_answer_ = false;
};

} // namespace

std::string openai_responses_body_fault(std::string_view body) {
  try {
    responses_request_reader{body};
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

} // namespace troupe::test
