// The lists of a server: the tools before anything else, the others in the background.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "actors/mcp_connection/mcp_listing.hpp"
#include "messages/errors.hpp"
#include "messages/mcp/mcp_tool.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

struct mcp_connection_state;

/// The part of an mcp_connection that reads the lists of its server, and reads them again when they
/// change. What they gave is in the status. Owned by the connection's state; the actor's thread
/// only.
class mcp_server_lists {
public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit mcp_server_lists(mcp_connection_state& connection) : connection_{connection} {}

  void read(mcp_list what); ///< from its first page
  void read_due(time_point at);
  void on_changed(const std::string& notification); ///< by the notification's method
  void on_page(mcp_list what, const jsonrpc::response& answer);
  void on_failed(mcp_list what, const failure& why);
  void abandon();            ///< what is being read; for a connection that is gone
  void clear(mcp_list what); ///< takes back what it offered

  /// Returns when the next list is to be read again.
  time_point due() const;

  /// Returns how many lists were never read to their end, nor given up.
  uint32_t first_due() const;

  /// Returns a tool that the server offers, or nullptr; valid until the tools are read again.
  const mcp::tool* find_tool(std::string_view name) const;

private:
  mcp_listing& list_of(mcp_list what) { return lists_.at(static_cast<size_t>(what)); }
  void read_page(const mcp_listing& list, const std::string& cursor);
  void on_listed(mcp_listing& list);
  void leave_out_tools(std::vector<mcp::tool>& tools);
  void swap_in(mcp_list what, mcp_listed found);

  mcp_connection_state& connection_;
  std::array<mcp_listing, 4> lists_{mcp_listing{mcp_list::tools}, mcp_listing{mcp_list::resources},
                                    mcp_listing{mcp_list::templates},
                                    mcp_listing{mcp_list::prompts}};
  std::unordered_map<std::string_view, const mcp::tool*> tools_; ///< of what the status offers
};

} // namespace troupe
