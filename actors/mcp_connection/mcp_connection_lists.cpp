// The lists of a server: the tools before anything else, the others in the background.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/wire/mcp/page.hpp"

namespace troupe {

void mcp_connection_state::read_list(mcp_listing& list) {
  list.start(now());
  read_page(list, "");
}

void mcp_connection_state::read_page(mcp_listing& list, const std::string& cursor) {
  request({mcp_request::list, static_cast<uint64_t>(list.what()), row_of(list.what()).method,
           now() + config.request_timeout},
          mcp::page_params(cursor));
}

/// Before the handshake is over there is nothing to read again, and nothing may be asked yet.
void mcp_connection_state::on_list_changed(const std::string& notification) {
  if (status.phase != server_phase::listing_tools && status.phase != server_phase::connected)
    return;
  for (auto& each : lists)
    if (row_of(each.what()).changed == notification)
      each.change(now());
  wake_by(lists_due());
}

/// Returns when the next list is to be read again.
mcp_connection_state::clock::time_point mcp_connection_state::lists_due() const {
  auto first = never;
  if (channel && !expired && status.phase == server_phase::connected)
    for (const auto& each : lists)
      first = std::min(first, each.due());
  return first;
}

void mcp_connection_state::read_due_lists(clock::time_point at) {
  if (lists_due() <= at)
    for (auto& each : lists)
      if (each.due() <= at)
        read_list(each);
  wake_by(lists_due());
}

void mcp_connection_state::on_page(mcp_listing& list, const jsonrpc::response& answer) {
  if (auto bad = list.add(answer))
    return on_list_failed(list, bad);
  if (!list.next_cursor().empty())
    return read_page(list, list.next_cursor());
  on_listed(list);
}

void mcp_connection_state::on_listed(mcp_listing& list) {
  auto differs = list.finish();
  for (const auto& each : list.left_out())
    note(each + "; it is left out");
  status.capabilities.*row_of(list.what()).needs = true;
  if (differs)
    swap_in(list.what(), list.take());
  if (status.phase == server_phase::listing_tools)
    on_connected();
  else if (differs)
    report();
  read_due_lists(now()); // it may have changed again meanwhile
}

/// Replaces a list as a whole.
void mcp_connection_state::swap_in(mcp_list what, mcp_listed found) {
  switch (what) {
  case mcp_list::tools:
    status.offered = frozen<server_tools>{{std::move(found.tools)}};
    tools.clear();
    for (const auto& each : status.offered->tools)
      tools.emplace(each.name, &each);
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
void mcp_connection_state::on_list_failed(mcp_listing& list, const failure& why) {
  if (status.phase == server_phase::listing_tools)
    return drop(why);
  list.give_up();
  note(why.text());
  report();
  read_due_lists(now());
}

void mcp_connection_state::clear_list(mcp_list what) {
  list_of(what).reset();
  if (what == mcp_list::tools) {
    tools.clear();
    status.offered = {};
  } else if (what == mcp_list::prompts) {
    status.prompts = {};
  } else {
    status.resources = {};
  }
}

} // namespace troupe
