// What Anthropic demands of a request's body, as strict as the API and its strictest copies.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/json/json_tree.hpp"
#include "tests/support/history_rules.hpp"

namespace troupe::test {

/// Reads one body and collects what the API would refuse in it.
class anthropic_request_check {
public:
  explicit anthropic_request_check(std::string_view body) : body_{read_json_tree(body, 1'000'000)} {
    if (!body_ || body_->kind != json_kind::object) {
      faults.push_back("the body is no JSON object");
      return;
    }
    top(*body_);
    tools();
    thinking();
    messages();
    if (marks_ > 4)
      faults.push_back(fmt::format("{} cache marks", marks_));
  }

  std::vector<std::string> faults;

private:
  using names = std::initializer_list<std::string_view>;

  void require(bool holds, std::string what) {
    if (!holds)
      faults.push_back(where_ + what);
  }

  static bool is_string(const json_node* node) {
    return node != nullptr && node->kind == json_kind::string;
  }

  static std::string text_of(const json_node& object, std::string_view key) {
    const auto* found = object.find(key);
    return is_string(found) ? found->text : std::string{};
  }

  /// "Extra inputs are not permitted."
  void only(const json_node& object, names allowed) {
    require(object.kind == json_kind::object, "no object");
    std::set<std::string_view> seen;
    for (const auto& each : object.children) {
      require(std::ranges::find(allowed, each.key) != allowed.end(),
              each.key + ": extra inputs are not permitted");
      require(seen.insert(each.key).second, each.key + " is there twice");
      if (each.key == "cache_control") {
        ++marks_;
        require(text_of(each, "type") == "ephemeral", "an unknown mark");
      }
    }
  }

  void top(const json_node& body) {
    only(body,
         {"model", "max_tokens", "messages", "stream", "system", "tools", "tool_choice", "thinking",
          "output_config", "temperature", "top_p", "top_k", "metadata", "stop_sequences",
          "service_tier", "container", "cache_control", "context_management", "mcp_servers"});
    require(!text_of(body, "model").empty(), "model is missing");
    const auto* bound = body.find("max_tokens");
    require(bound != nullptr && bound->kind == json_kind::number && wide_number(*bound) >= 1,
            "max_tokens is missing");
    for (auto key : {"temperature", "top_p"})
      if (const auto* value = body.find(key))
        require(value->kind == json_kind::number && wide_number(*value) >= 0 &&
                    wide_number(*value) <= 1,
                std::string{key} + " is not within 0 and 1");
    if (const auto* stops = body.find("stop_sequences"))
      for (const auto& each : stops->children)
        require(is_string(&each) && !is_blank(each.text), "a stop sequence is blank");
    if (const auto* metadata = body.find("metadata"))
      only(*metadata, {"user_id"});
    if (const auto* config = body.find("output_config"))
      only(*config, {"effort", "format"});
    if (const auto* system = body.find("system"))
      for (const auto& each : system->children)
        text(each, {"type", "text", "cache_control"});
  }

  void tools() {
    const auto* list = body_->find("tools");
    if (const auto* choice = body_->find("tool_choice")) {
      only(*choice, {"type", "name", "disable_parallel_tool_use"});
      require(list != nullptr, "tool_choice without tools");
    }
    if (list == nullptr)
      return;
    require(!list->children.empty(), "tools are empty");
    for (const auto& each : list->children) {
      only(each, {"name", "description", "input_schema", "cache_control", "strict"});
      const auto name = text_of(each, "name");
      require(is_tool_name(name) && tools_.insert(name).second, "the tool's name " + name);
      const auto* schema = each.find("input_schema");
      require(schema != nullptr && text_of(*schema, "type") == "object", "no schema of an object");
      if (schema == nullptr)
        continue;
      for (auto key : {"anyOf", "oneOf", "allOf"})
        require(schema->find(key) == nullptr, std::string{key} + " at the top of a schema");
      if (const auto* properties = schema->find("properties"))
        for (const auto& property : properties->children)
          require(is_id(property.key, ".") && property.key.size() <= 64,
                  "the property's key " + property.key);
    }
  }

  void thinking() {
    const auto* node = body_->find("thinking");
    if (node == nullptr)
      return;
    only(*node, {"type", "budget_tokens", "display"});
    const auto type = text_of(*node, "type");
    thinks_ = type == "enabled" || type == "adaptive";
    by_budget_ = type == "enabled";
    const auto* budget = node->find("budget_tokens");
    if (by_budget_)
      require(budget != nullptr && wide_number(*budget) >= 1024 &&
                  wide_number(*budget) < wide_number(*body_->find("max_tokens")),
              "the budget of thinking");
    if (!thinks_)
      return;
    const auto* temperature = body_->find("temperature");
    const auto* top_p = body_->find("top_p");
    require(temperature == nullptr || wide_number(*temperature) == 1, "temperature with thinking");
    require(body_->find("top_k") == nullptr, "top_k with thinking");
    require(top_p == nullptr || wide_number(*top_p) >= 0.95L, "top_p with thinking");
    if (const auto* choice = body_->find("tool_choice")) {
      const auto mode = text_of(*choice, "type");
      require(mode == "auto" || mode == "none", "a forced call with thinking");
    }
  }

  void messages() {
    const auto* list = body_->find("messages");
    require(list != nullptr && list->kind == json_kind::array && !list->children.empty(),
            "no messages");
    if (list == nullptr)
      return;
    for (size_t i = 0; i < list->children.size(); ++i) {
      where_ = fmt::format("messages.{}: ", i);
      const auto& message = list->children[i];
      only(message, {"role", "content"});
      const auto who = text_of(message, "role");
      require(who == (i % 2 == 0 ? "user" : "assistant"), "the role is " + who);
      const auto* content = message.find("content");
      require(content != nullptr && content->kind == json_kind::array && !content->children.empty(),
              "no content");
      if (content == nullptr || content->children.empty())
        continue;
      if (who == "user")
        user(*content);
      else
        assistant(*content, i + 1 == list->children.size());
    }
    where_ = "at the end: ";
    require(open_.empty(), "a call has no result");
    require(!(by_budget_ && loop_begun_ && !loop_thinks_),
            "the answer that began the loop of calls has no thoughts");
    require(calls_ == 0 || !tools_.empty(), "calls in the history, but no tools");
  }

  void user(const json_node& content) {
    bool others = false, results = false;
    for (const auto& each : content.children) {
      const auto type = text_of(each, "type");
      if (type == "tool_result") {
        require(!others, "a result stands behind another block");
        results = true;
        result(each);
        continue;
      }
      others = true;
      if (type == "text")
        text(each, {"type", "text", "cache_control"});
      else
        file(each);
    }
    require(open_.empty(), open_.empty() ? "" : *open_.begin() + " has no result");
    open_.clear();
    if (!results)
      loop_begun_ = false;
  }

  void text(const json_node& block, names allowed) {
    only(block, allowed);
    require(is_string(block.find("text")) && !is_blank(text_of(block, "text")), "a text is blank");
  }

  void file(const json_node& block) {
    const auto type = text_of(block, "type");
    require(type == "image" || type == "document", "a block of the type " + type);
    only(block, {"type", "source", "title", "cache_control"});
    require(type == "document" || block.find("title") == nullptr, "an image with a title");
    const auto* source = block.find("source");
    if (source == nullptr)
      return require(false, "a file without a source");
    if (text_of(*source, "type") == "url") {
      only(*source, {"type", "url"});
      return require(text_of(*source, "url").starts_with("https://"), "a URL that is not https:");
    }
    only(*source, {"type", "media_type", "data"});
    const auto media = text_of(*source, "media_type");
    const auto is_image = media == "image/png" || media == "image/jpeg" || media == "image/gif" ||
                          media == "image/webp";
    require(type == "image" ? is_image : media == "application/pdf", "the type " + media);
    require(!text_of(*source, "data").empty(), "a file without data");
  }

  void result(const json_node& block) {
    only(block, {"type", "tool_use_id", "content", "is_error", "cache_control"});
    const auto id = text_of(block, "tool_use_id");
    require(open_.erase(id) == 1, "nothing open has the id " + id);
    const auto* failed = block.find("is_error");
    const auto* content = block.find("content");
    if (content == nullptr || content->kind == json_kind::string)
      return;
    for (const auto& each : content->children) {
      const auto is_text = text_of(each, "type") == "text";
      require(is_text || failed == nullptr || !failed->is(true), "an error with a file");
      if (is_text)
        text(each, {"type", "text"});
      else
        file(each);
    }
  }

  void assistant(const json_node& content, bool is_last) {
    if (!loop_begun_)
      loop_thinks_ = is_thought(content.children.front());
    loop_begun_ = true;
    const auto last = text_of(content.children.back(), "type");
    require(last != "thinking" && last != "redacted_thinking", "the last block is a thought");
    require(!is_last || is_of_provider(last), "an answer is the last message");
    old_provider_calls_ = provider_calls_.size();
    for (const auto& each : content.children)
      answer_block(each);
    require(old_provider_calls_ == 0 || provider_calls_.size() < old_provider_calls_,
            "a call of the provider has no result");
  }

  void answer_block(const json_node& block) {
    const auto type = text_of(block, "type");
    if (type == "text") {
      text(block, {"type", "text", "citations"});
    } else if (type == "thinking") {
      only(block, {"type", "thinking", "signature"});
      require(!text_of(block, "signature").empty(), "a thought without a signature");
    } else if (type == "redacted_thinking") {
      only(block, {"type", "data"});
    } else if (type == "tool_use") {
      call(block);
    } else {
      require(is_of_provider(type) && block.find("index") == nullptr,
              "a block of the type " + type);
      if (type.ends_with("_tool_use"))
        provider_calls_.push_back(text_of(block, "id"));
      else if (type.ends_with("_tool_result"))
        require(std::erase(provider_calls_, text_of(block, "tool_use_id")) > 0,
                "a result of the provider without its call");
    }
  }

  void call(const json_node& block) {
    only(block, {"type", "id", "name", "input", "caller"});
    const auto id = text_of(block, "id");
    const auto* input = block.find("input");
    ++calls_;
    require(is_id(id, ""), "the id " + id);
    require(ids_.insert(id).second, "the id " + id + " was used before");
    require(is_tool_name(text_of(block, "name")), "the name of a call");
    require(input != nullptr && input->kind == json_kind::object, "input is no object");
    open_.insert(id);
  }

  static bool is_thought(const json_node& block) {
    const auto type = text_of(block, "type");
    return type == "thinking" || type == "redacted_thinking";
  }

  static bool is_of_provider(const std::string& type) {
    static const std::set<std::string> others{"text",  "thinking", "redacted_thinking", "tool_use",
                                              "image", "document", "tool_result",       ""};
    return !others.contains(type);
  }

  static bool is_id(std::string_view id, std::string_view more) {
    return !id.empty() && std::ranges::all_of(id, [more](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
             c == '_' || c == '-' || more.find(c) != std::string_view::npos;
    });
  }

  std::optional<json_node> body_;
  std::string where_;
  std::set<std::string> tools_;
  std::set<std::string> ids_;               ///< of all calls
  std::set<std::string> open_;              ///< of the calls that wait for their results
  std::vector<std::string> provider_calls_; ///< without results so far
  size_t old_provider_calls_ = 0;           ///< of them, those of earlier answers
  size_t marks_ = 0;
  size_t calls_ = 0;
  bool thinks_ = false;
  bool by_budget_ = false;
  bool loop_begun_ = false; ///< an answer came behind the user's last words
  bool loop_thinks_ = false;
};

/// Returns all that Anthropic would refuse in a request's body.
inline std::vector<std::string> anthropic_request_faults(std::string_view body) {
  return anthropic_request_check{body}.faults;
}

} // namespace troupe::test
