#include "actors/mcp_hub/tool_sets.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "messages/chat/tool_name.hpp"
#include "messages/mcp/tool_pattern.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- tools index ----------------------------------------------------------------------------------

namespace {

/// The tools of a server without its repetitions, in an order that does not hang on how the server
/// lists them; those that may keep their name come first, so that no changed name takes it.
std::vector<const mcp::tool*> in_fixed_order(const server_tools& offer) {
  std::vector<std::tuple<bool, std::string_view, const mcp::tool*>> keyed;
  keyed.reserve(offer.tools.size());
  for (const auto& tool : offer.tools)
    keyed.emplace_back(!is_model_tool_name(tool.name), tool.name, &tool);
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<const mcp::tool*> tools;
  for (const auto& [changed, name, tool] : keyed)
    if (tools.empty() || tools.back()->name != name)
      tools.push_back(tool);
  return tools;
}

bool says_read_only(const mcp::tool& tool) {
  std::string_view hint;
  read_members(tool.annotations.text, {{"readOnlyHint", &hint}});
  return hint == "true";
}

/// Returns the tool as a model sees it. What its server has changed is trusted by nobody.
tool_definition defined(const tool_source& source, const mcp::tool& tool, std::string name) {
  const auto as_seen = source.seen == nullptr || source.seen->holds(tool.name);
  tool_definition made{std::move(name), tool.description, tool.input_schema.text,
                       std::string{source.server}, tool.name};
  made.title = tool.title;
  made.approved = as_seen && source.config != nullptr && approves_tool(*source.config, tool.name);
  made.read_only = as_seen && says_read_only(tool);
  return made;
}

/// Gives out each name once.
class name_book {
public:
  explicit name_book(bool always_prefix) : always_prefix_{always_prefix} {}

  std::string name_for(std::string_view server, const std::string& tool) {
    if (!always_prefix_)
      if (auto own = model_tool_name(tool); taken_.insert(own).second)
        return own;
    auto full = fmt::format("{}_{}", server, tool);
    auto prefixed = model_tool_name(full);
    auto name = prefixed;
    // where the prefix ends is not to be seen in `full`, so that another tool may have the same
    for (int tries = 0; !taken_.insert(name).second; ++tries)
      name = hashed_tool_name(prefixed,
                              fmt::format("{}/{}/{}/{}", server.size(), server, tool, tries));
    return name;
  }

private:
  bool always_prefix_;
  std::unordered_set<std::string> taken_;
};

} // namespace

std::vector<tool_definition> index_tools(const std::vector<tool_source>& sources,
                                         bool always_prefix) {
  std::vector<tool_definition> index;
  name_book names{always_prefix};
  for (const auto& source : sources)
    for (const auto* tool : in_fixed_order(*source.known)) {
      auto name = names.name_for(source.server, tool->name);
      if (source.offered)
        index.push_back(defined(source, *tool, std::move(name)));
    }
  std::sort(index.begin(), index.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return index;
}

// -- tool sets ------------------------------------------------------------------------------------

namespace {

/// Choices come from clients, so their number is not ours to decide.
constexpr size_t max_sets = 64;

/// Each name has its length before it: with a mark between them, a name that has the mark in it
/// would be two names, and the set of one turn another turn's.
std::string key_of(const list_tools& ask) {
  std::string key;
  if (!ask.limits_servers)
    return key;
  key.push_back('\0'); // a choice of no server is not the same as no choice
  for (const auto& each : ask.servers)
    key.append(std::to_string(each.size())).append(1, ':').append(each);
  return key;
}

} // namespace

void tool_sets::invalidate() {
  stale_ = true;
  sets_.clear();
}

void tool_sets::index(const std::vector<tool_source>& sources) {
  index_ = index_tools(sources, always_prefix_);
  places_.clear();
  for (const auto& each : sources)
    places_.emplace(each.server, places_.size());
  stale_ = false;
  left_out_ = 0;
  has_left_out_ = false;
}

const frozen<tool_set>& tool_sets::get(const list_tools& ask) {
  const auto key = key_of(ask);
  auto known = sets_.find(key);
  const auto& all = known != sets_.end() ? known->second : keep(key, chosen(ask));
  if (all->tools.size() <= ask.most)
    return all;
  auto cut_key = fmt::format("{}{}{}", ask.most, '\0', key); // no other key begins with a digit
  if (known = sets_.find(cut_key); known != sets_.end())
    return known->second;
  if (!std::exchange(has_left_out_, true))
    left_out_ = all->tools.size() - ask.most;
  return keep(std::move(cut_key), first(all->tools, ask.most));
}

const frozen<tool_set>& tool_sets::keep(std::string key, std::vector<tool_definition> tools) {
  if (sets_.size() >= max_sets)
    sets_.clear();
  tool_set made{++version_, std::move(tools)};
  return sets_.emplace(std::move(key), frozen<tool_set>{std::move(made)}).first->second;
}

std::vector<tool_definition> tool_sets::chosen(const list_tools& ask) const {
  std::vector<tool_definition> out;
  for (const auto& tool : index_)
    if (!ask.limits_servers || chooses_tool(ask.servers, tool.server, tool.server_tool))
      out.push_back(tool);
  return out;
}

std::vector<tool_definition> tool_sets::first(const std::vector<tool_definition>& tools,
                                              size_t most) const {
  std::vector<const tool_definition*> order;
  order.reserve(tools.size());
  for (const auto& each : tools)
    order.push_back(&each);
  std::stable_sort(order.begin(), order.end(), [this](const auto* a, const auto* b) {
    return places_.at(a->server) < places_.at(b->server);
  });
  order.resize(most);
  std::sort(order.begin(), order.end()); // as they stood: by name
  std::vector<tool_definition> out;
  out.reserve(most);
  for (const auto* each : order)
    out.push_back(*each);
  return out;
}

} // namespace troupe
