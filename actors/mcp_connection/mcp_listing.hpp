// One of the four lists of a server, over all its pages, guarded against servers that never end it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "actors/alarm_clock.hpp"
#include "messages/mcp/server_offer.hpp"
#include "messages/wire/mcp/initialize.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

/// The lists of a server; also the index of their rows.
enum class mcp_list : uint8_t { tools, resources, templates, prompts };

/// The constants of one list: its method, its notification, its capability.
struct mcp_list_row {
  std::string_view method;
  std::string_view changed;              ///< the notification of a change
  bool mcp::server_capabilities::*needs; ///< declared by servers that have the list
};

/// Returns the row of a list.
const mcp_list_row& row_of(mcp_list what);

inline constexpr mcp_list all_mcp_lists[] = {mcp_list::tools, mcp_list::resources,
                                             mcp_list::templates, mcp_list::prompts};

/// The entries of a finished list; only the list's own member is filled.
struct mcp_listed {
  std::vector<mcp::tool> tools;
  std::vector<mcp::resource> resources;
  std::vector<mcp::resource_template> templates;
  std::vector<mcp::prompt> prompts;
};

/// Collects the pages of one run after another. Not thread safe.
class mcp_listing {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Pages and entries of one list; a server that has more is looping.
  static constexpr size_t max_pages = 1000;
  static constexpr size_t max_entries = 100'000;
  /// At most this many skipped entries are reported.
  static constexpr size_t max_notes = 5;
  /// A burst of changes is one run. While a storm of them lasts, each run comes after twice the
  /// time of the one before it, up to the longest wait.
  static constexpr std::chrono::milliseconds debounce{100};
  static constexpr std::chrono::milliseconds longest_debounce{2000};

  explicit mcp_listing(mcp_list what) : what_{what} {}

  mcp_list what() const noexcept { return what_; }

  /// The list has changed; it is due after `debounce`, or later in a storm. If a read is running,
  /// the list is read again afterwards.
  void change(time_point now);

  /// Returns when the next run is to begin; `never` if none is, or as long as one is under way.
  time_point due() const noexcept { return running_ ? never : due_; }

  /// Begins a run.
  void start(time_point now);

  bool running() const noexcept { return running_; }

  /// Returns whether a run has ended, well or not.
  bool was_over() const noexcept { return over_; }

  /// Takes a page; `next_cursor()` tells whether there is another. An error ends the run.
  failure add(const jsonrpc::response& answer);

  /// Returns the cursor of the next page; "" at the end.
  const std::string& next_cursor() const noexcept { return cursor_; }

  /// Ends the run. Returns whether it gave something else than the last one.
  bool finish();

  /// Returns what is wrong with entries of the run that were left out.
  const std::vector<std::string>& left_out() const noexcept { return left_out_; }

  /// Returns what the run has found.
  mcp_listed take() { return std::exchange(found_, {}); }

  /// Ends a run that failed.
  void give_up();

  /// Forgets the run and what is due; for a connection that is gone.
  void abandon();

  /// Forgets also what the last run gave; for an offer that is taken back.
  void reset() { *this = mcp_listing{what_}; }

private:
  failure read(std::string_view result);
  size_t entries() const noexcept;

  mcp_list what_;
  bool running_ = false, over_ = false; ///< a run is, a run was
  time_point due_ = never;
  time_point again_{}; ///< when the last run began, if a change was the reason for it
  std::chrono::milliseconds wait_ = debounce;
  mcp_listed found_;
  std::vector<std::string> left_out_;
  std::unordered_set<std::string> cursors_;
  std::string cursor_;
  size_t fingerprint_ = 0; ///< of the pages of this run
  size_t last_ = 0;        ///< of the last complete one
  bool complete_ = false;  ///< there was one
};

} // namespace troupe
