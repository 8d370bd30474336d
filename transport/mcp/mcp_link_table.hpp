// The open MCP connections of one loop.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "transport/mcp/mcp_link.hpp"

namespace troupe {

/// The links of one loop, by number. Only the loop's thread uses the table, so links are made, used
/// and destroyed on that thread, wherever their handles are.
class mcp_link_table {
public:
  void add(uint64_t number, std::shared_ptr<mcp_link> link) {
    const auto& kept = links_.emplace(number, std::move(link)).first->second;
    kept->start();
  }

  /// Destroys a link: it has reported its end, or it is no longer wanted.
  void remove(uint64_t number) { links_.erase(number); }

  /// Called when the handle is gone; a link that still closes its session lives until that is done.
  void let_go(uint64_t number) {
    if (auto* link = find(number); link != nullptr && !link->leave())
      remove(number);
  }

  mcp_link* find(uint64_t number) {
    const auto found = links_.find(number);
    return found == links_.end() ? nullptr : found->second.get();
  }

  void clear() { links_.clear(); }

private:
  std::unordered_map<uint64_t, std::shared_ptr<mcp_link>> links_;
};

} // namespace troupe
