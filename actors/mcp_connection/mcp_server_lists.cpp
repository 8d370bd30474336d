#include "actors/mcp_connection/mcp_server_lists.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/mcp/tool_pattern.hpp"
#include "messages/wire/mcp/page.hpp"

namespace troupe {

void mcp_server_lists::read(mcp_list what) {
  auto& list = list_of(what);
  list.start(connection_.now());
  read_page(list, "");
}

void mcp_server_lists::read_page(const mcp_listing& list, const std::string& cursor) {
  connection_.request({mcp_request::list, static_cast<uint64_t>(list.what()),
                       row_of(list.what()).method,
                       connection_.now() + connection_.config.request_timeout},
                      mcp::page_params(cursor));
}

/// Before the handshake is over there is nothing to read again, and nothing may be asked yet.
void mcp_server_lists::on_changed(const std::string& notification) {
  auto phase = connection_.status.phase;
  if (phase != server_phase::listing_tools && phase != server_phase::connected)
    return;
  for (auto& each : lists_)
    if (row_of(each.what()).changed == notification)
      each.change(connection_.now());
  connection_.wake_by(due());
}

mcp_server_lists::time_point mcp_server_lists::due() const {
  auto first = never;
  if (connection_.channel && !connection_.expired &&
      connection_.status.phase == server_phase::connected)
    for (const auto& each : lists_)
      first = std::min(first, each.due());
  return first;
}

uint32_t mcp_server_lists::first_due() const {
  const auto& status = connection_.status;
  if (status.phase != server_phase::connected)
    return 0;
  auto is_due = [&](const mcp_listing& each) {
    return status.capabilities.*row_of(each.what()).needs && !each.was_over();
  };
  return static_cast<uint32_t>(std::count_if(lists_.begin(), lists_.end(), is_due));
}

const mcp::tool* mcp_server_lists::find_tool(std::string_view name) const {
  auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : found->second;
}

void mcp_server_lists::read_due(time_point at) {
  if (due() <= at)
    for (auto& each : lists_)
      if (each.due() <= at)
        read(each.what());
  connection_.wake_by(due());
}

void mcp_server_lists::on_page(mcp_list what, const jsonrpc::response& answer) {
  auto& list = list_of(what);
  if (auto bad = list.add(answer))
    return on_failed(what, bad);
  if (!list.next_cursor().empty())
    return read_page(list, list.next_cursor());
  on_listed(list);
}

void mcp_server_lists::on_listed(mcp_listing& list) {
  auto differs = list.finish();
  for (const auto& each : list.left_out())
    connection_.note(each + "; it is left out");
  connection_.status.capabilities.*row_of(list.what()).needs = true;
  if (differs) {
    auto found = list.take();
    if (list.what() == mcp_list::tools)
      leave_out_tools(found.tools);
    swap_in(list.what(), std::move(found));
  }
  if (connection_.status.phase == server_phase::listing_tools)
    connection_.on_connected();
  else if (differs)
    connection_.report();
  read_due(connection_.now()); // it may have changed again meanwhile
}

/// Drops what `includeTools` and `excludeTools` leave out: nobody sees or calls it.
void mcp_server_lists::leave_out_tools(std::vector<mcp::tool>& tools) {
  const auto& config = connection_.config;
  for (const auto& each : config.include_tools)
    if (std::none_of(tools.begin(), tools.end(),
                     [&](const auto& tool) { return fits_pattern(each, tool.name); }))
      connection_.note(fmt::format("includeTools has '{}', which fits no tool", each));
  const auto count =
      std::erase_if(tools, [&config](const auto& tool) { return !offers_tool(config, tool.name); });
  if (count > 0)
    connection_.note(fmt::format("{} tools are left out by includeTools and excludeTools", count));
}

/// Replaces a list as a whole.
void mcp_server_lists::swap_in(mcp_list what, mcp_listed found) {
  auto& status = connection_.status;
  switch (what) {
  case mcp_list::tools:
    status.offered = frozen<server_tools>{{std::move(found.tools)}};
    tools_.clear();
    for (const auto& each : status.offered->tools)
      tools_.emplace(each.name, &each);
    break;
  case mcp_list::resources:
    status.resources = frozen<server_resources>{
        {std::move(found.resources), std::vector{status.resources->templates}}};
    break;
  case mcp_list::templates:
    status.resources = frozen<server_resources>{
        {std::vector{status.resources->resources}, std::move(found.templates)}};
    break;
  case mcp_list::prompts:
    status.prompts = frozen<server_prompts>{{std::move(found.prompts)}};
    break;
  }
}

/// Without its tools a server is of no use; everything else can wait for the next change.
void mcp_server_lists::on_failed(mcp_list what, const failure& why) {
  if (connection_.status.phase == server_phase::listing_tools)
    return connection_.drop(why);
  list_of(what).give_up();
  connection_.note(why.text());
  connection_.report();
  read_due(connection_.now());
}

void mcp_server_lists::abandon() {
  for (auto& each : lists_)
    each.abandon();
}

void mcp_server_lists::clear(mcp_list what) {
  auto& status = connection_.status;
  list_of(what).reset();
  if (what == mcp_list::tools) {
    tools_.clear();
    status.offered = {};
  } else if (what == mcp_list::prompts) {
    status.prompts = {};
  } else {
    status.resources = {};
  }
}

} // namespace troupe
