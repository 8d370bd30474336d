// Keeps the settings of an mcp_hub's servers in the conversation_store.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <caf/make_message.hpp> // caf/result.hpp forgets it
#include <caf/result.hpp>
#include <caf/typed_response_promise.hpp>

#include "actors/mcp_hub/mcp_hub_server.hpp"
#include "actors/mcp_hub/mcp_hub_settings.hpp"
#include "messages/interfaces/store_interfaces.hpp"

namespace troupe {

struct mcp_hub_state;

/// The part of an mcp_hub's state that keeps the settings of its servers in the store. The state
/// owns it. Every change of the servers at run time comes through it.
///
///     loading --kept settings--> ready      nothing is connected before
///        '-----failure-----> waiting --kept settings--> ready
///
/// While it waits, the servers are those of the configuration, and changes are refused.
class mcp_hub_keeping {
public:
  explicit mcp_hub_keeping(mcp_hub_state& hub) : hub_{hub} {}
  ~mcp_hub_keeping(); ///< answers the changes that wait

  /// Begins, before the hub has any server.
  void start(mcp_entry_format format, const std::vector<mcp_server_config>& configured);

  /// Returns whether the kept settings are not read yet, so that the servers are not known.
  bool loading() const noexcept { return phase_ == phase::loading; }

  /// Changes are made one after the other. Each is answered when it is kept and made.
  caf::result<failure> on_put(put_server& put);
  caf::result<failure> on_change(const change_server& change);

  /// Remembers the tools of a server as they were first seen, without waiting for the store: until
  /// it has them, a restart sees them for the first time.
  void keep_tools(const hub_server& server);
  void forget_tools(const std::string& server);

  void on_tick(); ///< asks for the kept settings again, if that is due

private:
  enum class phase : uint8_t { in_memory, loading, waiting, ready };

  using server_change = std::variant<put_server, change_server>;

  /// A change that waits for those before it, or for the store.
  struct pending_change {
    server_change what;
    caf::typed_response_promise<failure> promise;
  };

  void load();
  void on_loaded(setting_list& kept);
  void on_not_loaded(failure why);
  void follow(mcp_hub_settings::result wanted);
  void recall_tools(const std::vector<setting>& kept);
  void connect_all();
  void drop(const std::string& server);
  void put_unwatched(setting value);
  void note(const std::string& server, std::string_view what) const;

  caf::result<failure> queue(server_change what);
  void keep_next();
  failure begin(const server_change& what, std::optional<setting>& out); ///< checks it
  void save(const setting& value);
  void on_saved(failure why);
  void on_silence();
  void make(server_change& what);
  void end_next(failure how);

  mcp_hub_state& hub_;
  mcp_hub_settings settings_;
  phase phase_ = phase::in_memory;
  failure why_; ///< why the kept settings could not be read, in `waiting`
  std::optional<hub_clock::time_point> load_due_;
  std::deque<pending_change> changes_; ///< the first is with the store if `saving_`
  bool saving_ = false;
};

} // namespace troupe
