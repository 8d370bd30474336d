// One tools/list over all its pages, guarded against servers that never end it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "messages/server_messages.hpp"
#include "messages/wire/jsonrpc.hpp"

namespace troupe {

/// Collects the pages. A change of the list while it is read asks for one more run. Not thread
/// safe.
class tools_listing {
public:
  /// Pages of one list; a server that has more is looping.
  static constexpr size_t max_pages = 1000;

  /// Begins a run. Returns false when one is under way; it is then repeated (see again()).
  bool start();

  /// Takes a page; `next_cursor()` tells whether there is another.
  failure add(const jsonrpc::response& answer);

  const std::string& next_cursor() const noexcept { return next_cursor_; }

  /// Ends the run and returns everything that was listed.
  server_tools take();

  /// Returns whether the list changed while it was read.
  bool again() const noexcept { return again_; }

  /// Forgets the run; for a connection that is gone.
  void reset() { *this = {}; }

private:
  bool running_ = false;
  bool again_ = false;
  server_tools found_;
  std::set<std::string> cursors_;
  std::string next_cursor_;
};

} // namespace troupe
