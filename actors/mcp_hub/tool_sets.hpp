// The sets of tools that turns get of the tools index, made once and shared.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/mcp_hub/seen_tools.hpp"
#include "messages/chat/tool_definition.hpp"
#include "messages/frozen.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/mcp/server_offer.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// The tools that one configured server puts into the index.
struct tool_source {
  std::string_view server;
  const server_tools* known = nullptr; ///< its last complete list; not null
  bool offered = false; ///< false: the server is down; its names stay taken, nothing is shown
  const mcp_server_config* config = nullptr; ///< says what waits for no approval; null: nothing
  const seen_tools* seen = nullptr;          ///< for which tools that holds; null: for all
};

/// Returns the tools that `sources` offer as a model sees them, sorted by name.
///
/// Names match ^[A-Za-z0-9_-]{1,64}$, which OpenAI and Anthropic take, and are unique. A tool keeps
/// its own name where that is free, else it gets "server_tool"; a name that had to be changed, cut
/// or told from another one ends in '_' and 8 hex digits made of the original.
///
/// Who gets a name is decided by the order of `sources`, that of the configuration: a tool's name
/// depends on nothing but its own server's tools and those of the servers before it, in whatever
/// order a server lists them. A server that is down keeps its names, as far as its tools were ever
/// known. Before an earlier server was connected for the first time a later one can hold a plain
/// name that it then gives up; with `always_prefix` every tool gets "server_tool" at once.
std::vector<tool_definition> index_tools(const std::vector<tool_source>& sources,
                                         bool always_prefix = false);

/// The tools index, and one tool_set per choice of servers, made when first asked for
/// and kept until the index changes; at most 64 are kept. Not thread safe.
class tool_sets {
public:
  /// @param always_prefix as for index_tools
  explicit tool_sets(bool always_prefix = false) : always_prefix_{always_prefix} {}

  /// The servers' tools are not what they were; costs nothing until the next get().
  void invalidate();

  /// Returns whether index() is due before the next get().
  bool stale() const noexcept { return stale_; }

  /// Names all tools anew. @param sources in the order of the configuration
  void index(const std::vector<tool_source>& sources);

  /// Returns the tools that `ask` chooses; if they are more than `ask.most`, those of the first
  /// servers, and of the last of these the first by name. Sets with the same version are the same.
  const frozen<tool_set>& get(const list_tools& ask);

  /// Returns how many tools get() has left out for the first time since index(); then 0.
  size_t take_left_out() noexcept { return std::exchange(left_out_, 0); }

private:
  const frozen<tool_set>& keep(std::string key, std::vector<tool_definition> tools);
  std::vector<tool_definition> chosen(const list_tools& ask) const;
  std::vector<tool_definition> first(const std::vector<tool_definition>& tools, size_t most) const;

  bool always_prefix_;
  bool stale_ = true;
  std::vector<tool_definition> index_;
  std::map<std::string, size_t> places_;         ///< of the servers in the configuration
  std::map<std::string, frozen<tool_set>> sets_; ///< by choice
  uint64_t version_ = 0;                         ///< of the newest set
  size_t left_out_ = 0;
  bool has_left_out_ = false; ///< since index()
};

} // namespace troupe
