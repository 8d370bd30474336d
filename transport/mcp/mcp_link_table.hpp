// The open MCP connections of one loop.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "transport/mcp/mcp_link.hpp"

namespace troupe {

/// The links of one loop, by a number of their own. Only the loop's thread touches them, so that
/// they are made, used and destroyed there, wherever the handles are.
class mcp_link_table {
public:
  void add(uint64_t number, std::shared_ptr<mcp_link> link) {
    const auto& kept = links_.emplace(number, std::move(link)).first->second;
    kept->start();
  }

  /// Destroys a link: it has reported its end, or nobody wants it.
  void remove(uint64_t number) { links_.erase(number); }

  /// The handle is gone; a link that says goodbye lives on until it has.
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
