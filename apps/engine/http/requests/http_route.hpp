// Rows of the HTTP interface: which method and path does what.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include "apps/engine/access/known_fields.hpp"
#include "apps/engine/access/principal.hpp"
#include "apps/engine/config.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe {

/// The decoded texts in the place of a path's {}s.
using path_ids = std::array<std::string, 2>;

class answer_slots;
class stream_keep_alive;
class cluster_store;
class turn_forwarder;

/// Parts of the server that a few routes use each. Outlives all answers.
struct http_services {
  caf::actor streams;                      ///< endless answers (event streams) end when it does
  std::function<client_load()> load;       ///< counts what the server's clients take
  ui_profile profile = ui_profile::v6;     ///< where a request of a UI message stream names none
  stream_keep_alive* keep_alive = nullptr; ///< for streams that begin late; nullptr: no timer
  answer_slots* slots = nullptr;           ///< for answers as large as a chat; nullptr: no bound
  http_port* upstream = nullptr;           ///< for what is passed through; nullptr: nothing is
  cluster_store* cluster = nullptr;        ///< this node's place in its cluster; nullptr: in none
  turn_forwarder* nodes = nullptr;         ///< the other nodes; nullptr: there are none
};

/// One request on its way to its answer.
struct http_call {
  caf::actor_system& system;
  const engine_config& config;
  const http_services& services;
  server_request request;
  known_fields known; ///< of the request
  path_ids ids;
  std::shared_ptr<http_response> response;
  principal who = {};

  /// Returns the scoped id of the chat that a path or a body names.
  std::string chat(std::string_view id) const { return scoped_id(who.owner, id); }
};

/// Returns the scoped id of the chat that a request names, in its path or, where that has none, as
/// the member "id" of its body; "" without one.
std::string chat_of(const http_call& in);

/// The relation of a route to turns: where several nodes share the chats, only one runs the turn of
/// a chat, and turn_forwarder decides by this which node a request is for.
enum class turn_place : uint8_t {
  none,  ///< nothing: each node can do it
  fresh, ///< begins a turn of a chat that is new: each node that takes turns can do it
  here,  ///< begins a turn: on this node, unless another one runs a turn of the chat
  owner, ///< is about the turn that runs: for the node that runs it, if there is one
};

/// One row: method, path, what it does.
struct http_route {
  std::string_view method;
  std::string_view path; ///< at most two {}, each for 1 to 256 bytes of any kind, slashes too
  void (*run)(http_call&);
  route_access access = route_access::owners;
  bool takes_file = false; ///< its body goes to the file_store as it comes
  turn_place turn = turn_place::none;
};

/// The rows of one group of paths.
using route_table = std::span<const http_route>;

/// Returns whether a request's path matches the route's, and sets the ids. Encoded slashes belong
/// to an id; if plain ones make it ambiguous, the first id takes as much as it can.
bool matches(const http_route& row, const server_request& request, path_ids& ids);

/// Returns request_invalid for an id of a chat that holds control characters.
/// @param where the member it comes from, "sessionId"
failure check_chat_id(std::string_view id, std::string_view where);

/// Returns request_invalid for a query that cannot be decoded: its members must not count as
/// absent.
failure check_query(std::string_view query);

/// Returns the value of a query's member, decoded; "" if it is not there.
std::string query_value(std::string_view query, std::string_view name);

} // namespace troupe
