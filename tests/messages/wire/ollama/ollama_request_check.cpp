#include "tests/messages/wire/ollama/ollama_request_check.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "messages/wire/json/json_tree.hpp"

namespace troupe::test {

namespace {

/// Reads one body; throws std::runtime_error at the first fault.
class ollama_request_check {
public:
  explicit ollama_request_check(std::string_view body) {
    const auto root = read_json_tree(body, 1'000'000);
    require(root && root->kind == json_kind::object, "the body is no JSON object");
    only(*root, {"model", "messages", "stream", "tools", "format", "think", "options", "keep_alive",
                 "truncate", "shift", "logprobs", "top_logprobs"});
    require(!string_of(*root, "model").empty(), "model is empty");
    kind_of_member(*root, "stream", json_kind::boolean);
    messages(list_of(*root, "messages"));
    if (root->find("tools") != nullptr)
      for (const auto& each : list_of(*root, "tools"))
        tool(each);
    if (const auto* format = root->find("format"))
      require(format->text == "json" || format->kind == json_kind::object, "format");
    if (const auto* think = root->find("think"))
      require(think->kind == json_kind::boolean ||
                  is_one_of(think->text, {"low", "medium", "high", "max"}),
              "think");
    if (const auto* options = root->find("options"))
      check_options(*options);
  }

private:
  static void require(bool holds, const std::string& what) {
    if (!holds)
      throw std::runtime_error(what);
  }

  static bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
    return std::ranges::find(list, name) != list.end();
  }

  /// Members that the server does not know are ignored, which nobody would notice.
  static void only(const json_node& object, std::initializer_list<std::string_view> known) {
    require(object.kind == json_kind::object, "something is no object");
    std::set<std::string_view> keys;
    for (const auto& each : object.children) {
      require(is_one_of(each.key, known), each.key + " is unknown");
      require(keys.insert(each.key).second, each.key + " is there twice");
    }
  }

  static const json_node& kind_of_member(const json_node& object, std::string_view key,
                                         json_kind kind) {
    const auto* found = object.find(key);
    require(found != nullptr && found->kind == kind, std::string{key} + " has another type");
    return *found;
  }

  static const std::string& string_of(const json_node& object, std::string_view key) {
    return kind_of_member(object, key, json_kind::string).text;
  }

  static const std::vector<json_node>& list_of(const json_node& object, std::string_view key) {
    const auto& list = kind_of_member(object, key, json_kind::array).children;
    require(!list.empty(), std::string{key} + " is empty");
    return list;
  }

  void messages(const std::vector<json_node>& list) {
    for (const auto& each : list) {
      message(each);
      last_ = string_of(each, "role");
    }
    require(open_.empty(), "a call has no result");
    require(last_ != "assistant", "an answer is the last message");
  }

  void message(const json_node& node) {
    const auto& who = string_of(node, "role");
    const auto& text = string_of(node, "content");
    const bool is_blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
    require(who == "tool" || open_.empty(), "a call has no result");
    if (who == "system") {
      only(node, {"role", "content"});
      require(last_.empty() && !is_blank, "a system message is not the first, or blank");
    } else if (who == "user") {
      only(node, {"role", "content", "images"});
      require(last_ != "user", "two messages of the user");
      require(!is_blank || node.find("images") != nullptr, "a message of the user is blank");
    } else if (who == "assistant") {
      answer(node, is_blank);
    } else {
      require(who == "tool", "an unknown role");
      result(node);
    }
    if (node.find("images") != nullptr)
      for (const auto& each : list_of(node, "images"))
        require(is_base64(each.text), "an image is no base64: " + each.text.substr(0, 40));
  }

  void answer(const json_node& node, bool is_blank) {
    only(node, {"role", "content", "thinking", "tool_calls"});
    require(last_ == "user" || last_ == "tool", "an answer answers nothing");
    require(!is_blank || node.find("tool_calls") != nullptr, "an answer is blank");
    if (node.find("thinking") != nullptr)
      require(!string_of(node, "thinking").empty(), "thinking is empty");
    if (node.find("tool_calls") == nullptr)
      return;
    for (const auto& each : list_of(node, "tool_calls")) {
      only(each, {"id", "function"});
      const auto& function = kind_of_member(each, "function", json_kind::object);
      only(function, {"name", "arguments"});
      kind_of_member(function, "arguments", json_kind::object);
      const auto& id = string_of(each, "id");
      require(!id.empty() && ids_.insert(id).second, "an id is empty or repeated");
      require(!string_of(function, "name").empty(), "a call has no name");
      open_.emplace_back(id, string_of(function, "name"));
    }
  }

  /// Results come in the order of the calls: templates of older models know no ids.
  void result(const json_node& node) {
    only(node, {"role", "content", "images", "tool_name", "tool_call_id"});
    require(!open_.empty() && open_.front().first == string_of(node, "tool_call_id"),
            "a result answers no open call, or another one comes first");
    require(open_.front().second == string_of(node, "tool_name"), "a result names another tool");
    open_.erase(open_.begin());
  }

  static bool is_base64(std::string_view data) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto size = data.find_last_not_of('=') + 1;
    return size > 0 && data.size() % 4 == 0 && data.size() - size <= 2 &&
           data.substr(0, size).find_first_not_of(alphabet) == std::string_view::npos;
  }

  void tool(const json_node& node) {
    only(node, {"type", "function"});
    require(string_of(node, "type") == "function", "a tool of another type");
    const auto& function = kind_of_member(node, "function", json_kind::object);
    only(function, {"name", "description", "parameters"});
    string_of(function, "description");
    require(tools_.insert(string_of(function, "name")).second, "a tool is there twice");
    const auto& schema = kind_of_member(function, "parameters", json_kind::object);
    require(string_of(schema, "type") == "object", "parameters of another type");
    kind_of_member(schema, "properties", json_kind::object);
    check_schema(schema);
  }

  static void check_schema(const json_node& schema) {
    only(schema, {"type", "description", "enum", "items", "properties", "required", "anyOf"});
    for (const auto& each : schema.children) {
      if (each.key == "type" || each.key == "description")
        require(each.kind == json_kind::string, each.key + " is no string");
      else if (each.key == "items")
        check_schema(each);
      else
        require(each.kind == (each.key == "properties" ? json_kind::object : json_kind::array),
                each.key + " has another type");
      if (each.key == "properties" || each.key == "anyOf")
        for (const auto& inner : each.children)
          check_schema(inner);
    }
  }

  static void check_options(const json_node& options) {
    only(options,
         {"num_ctx", "num_predict", "num_keep", "num_batch", "num_gpu", "main_gpu", "num_thread",
          "use_mmap", "temperature", "top_p", "top_k", "min_p", "typical_p", "seed", "stop",
          "repeat_last_n", "repeat_penalty", "presence_penalty", "frequency_penalty"});
    for (const auto& each : options.children) {
      if (each.key == "stop")
        for (const auto& word : list_of(options, "stop"))
          require(word.kind == json_kind::string, "a word of stop is no string");
      else if (each.key == "use_mmap")
        kind_of_member(options, each.key, json_kind::boolean);
      else
        kind_of_member(options, each.key, json_kind::number);
    }
  }

  std::string last_;                                      ///< role of the message before
  std::vector<std::pair<std::string, std::string>> open_; ///< calls without a result: id, name
  std::set<std::string> ids_;
  std::set<std::string> tools_;
};

} // namespace

std::string ollama_body_fault(std::string_view body) {
  try {
    ollama_request_check check{body};
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

} // namespace troupe::test
