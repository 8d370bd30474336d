#include "messages/wire/clients/claude/claude_tools.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "messages/wire/clients/client_tools.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view addition = "tool_addition";
constexpr std::string_view removal = "tool_removal";
constexpr std::string_view reference = "tool_reference";

/// A block that changes the tools.
struct change_block {
  std::string name;            ///< of the tool
  std::string_view definition; ///< of a tool that is not among those of the request

  change_block(std::string_view type, std::string_view block) {
    std::string_view tool, called;
    if (type == reference) {
      read_members(block, {{"tool_name", &called}});
    } else {
      read_members(block, {{"tool", &tool}});
      read_members(tool, {{"name", &called}, {"definition", &definition}});
      read_members(definition, {{"name", &called}});
    }
    name = json_string(called);
  }
};

bool changes_tools(std::string_view type) {
  return type == reference || type == addition || type == removal;
}

class tools_reader {
public:
  explicit tools_reader(claude_tools& out) : out_{out} {}

  failure read(std::string_view tools) {
    return read_tool_array(tools, "tools", [&](std::string_view tool, const std::string& place) {
      return read_one(tool, place);
    });
  }

  /// Reads what a message changes. @param content of it, or of a result in it
  failure read_changes(std::string_view content, bool is_result = false) {
    failure bad;
    for_each_element(content, [&](std::string_view block) {
      std::string_view kind, inner;
      read_members(block, {{"type", &kind}, {"content", &inner}});
      const auto type = json_string(kind);
      if (type == "tool_result" && !is_result) // no deeper: each level is read once more
        bad = read_changes(inner, true);
      else if (changes_tools(type))
        bad = change(type, {type, block});
      return !bad;
    });
    return bad;
  }

  bool has_deferred() const { return !hidden_.empty(); }

  void leave_out_hidden() {
    if (!searched_there_)
      std::erase_if(out_.tools, [this](const auto& tool) { return hidden_.contains(tool.name); });
  }

private:
  failure read_one(std::string_view tool, const std::string& place) {
    std::string_view type, name, deferred;
    read_members(tool, {{"type", &type}, {"name", &name}, {"defer_loading", &deferred}});
    const auto kind = json_string(type);
    if (is_nothing(type) || kind == "custom") {
      if (deferred == "true")
        hidden_.insert(json_string(name));
      return read_client_tool(tool, place, out_.tools);
    }
    searched_there_ = searched_there_ || kind.starts_with("tool_search_tool");
    out_.left_out.push_back(json_string(name));
    return {};
  }

  failure change(std::string_view type, const change_block& block) {
    if (type == removal) {
      hidden_.insert(block.name);
      return {};
    }
    hidden_.erase(block.name);
    const auto known = std::ranges::find(out_.tools, block.name, &tool_definition::name);
    return block.definition.empty() || known != out_.tools.end()
               ? failure{}
               : read_one(block.definition, fmt::format("the added tool {}", block.name));
  }

  claude_tools& out_;
  std::set<std::string> hidden_;
  bool searched_there_ = false; ///< Anthropic's servers are to search among the deferred ones
};

bool may_change_tools(std::string_view messages) {
  return messages.find(addition) != std::string_view::npos ||
         messages.find(removal) != std::string_view::npos;
}

} // namespace

failure read_claude_tools(std::string_view tools, std::string_view messages, claude_tools& out) {
  tools_reader reader{out};
  if (auto bad = reader.read(tools))
    return bad;
  failure bad;
  if (reader.has_deferred() || may_change_tools(messages))
    for_each_element(messages, [&](std::string_view message) {
      std::string_view content;
      read_members(message, {{"content", &content}});
      bad = reader.read_changes(content);
      return !bad;
    });
  reader.leave_out_hidden();
  return bad;
}

std::string told_tool_change(std::string_view type, std::string_view block) {
  if (!changes_tools(type))
    return {};
  return fmt::format("[The tool {} can {} be called.]", change_block{type, block}.name,
                     type == removal ? "no longer" : "now");
}

} // namespace troupe
