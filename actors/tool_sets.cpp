#include "actors/tool_sets.hpp"

#include <algorithm>
#include <utility>

#include "actors/tools_index.hpp"
#include "messages/wire/provider.hpp"

namespace troupe {

namespace {

std::string key_of(const list_tools& ask) {
  auto key = ask.provider;
  if (!ask.limits_servers)
    return key;
  key.push_back('\0'); // a choice of no server is not the same as no choice
  for (const auto& each : ask.servers)
    key.append(each).push_back('\0');
  return key;
}

tool_set make(const list_tools& ask, const std::vector<const server_status*>& servers,
              uint64_t version) {
  tool_set made{version, index_tools(servers), ""};
  auto unwanted = [&](const tool_definition& tool) {
    return std::find(ask.servers.begin(), ask.servers.end(), tool.server) == ask.servers.end();
  };
  if (ask.limits_servers)
    std::erase_if(made.tools, unwanted);
  if (!made.tools.empty())
    made.rendered = find_provider(ask.provider)->render_tools(made.tools);
  return made;
}

} // namespace

const frozen<tool_set>& tool_sets::get(const list_tools& ask,
                                       const std::vector<const server_status*>& servers) {
  auto key = key_of(ask);
  auto known = sets_.find(key);
  if (known == sets_.end())
    known = sets_.emplace(std::move(key), frozen<tool_set>{make(ask, servers, version_)}).first;
  return known->second;
}

void tool_sets::invalidate() {
  ++version_;
  sets_.clear();
}

} // namespace troupe
