// What servers have asked of the client and nobody has answered yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_addr.hpp>

#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/server_messages.hpp"

namespace troupe {

/// Ends the actor that answers a question for the client, and its model request, with the question.
class answering_model {
public:
  explicit answering_model(caf::actor which) : which_{std::move(which)} {}
  ~answering_model();
  answering_model(const answering_model&) = delete;
  answering_model& operator=(const answering_model&) = delete;

private:
  caf::actor which_; ///< may be null
};

/// One request of a server.
struct open_question {
  client_ask ask;                         ///< as the client is told
  uint64_t number = 0;                    ///< the connection's
  uint64_t call = 0;                      ///< the lease it belongs to; 0 if that is unknown
  caf::actor_addr holder;                 ///< the caller that was asked; null: watchers, or a model
  std::shared_ptr<answering_model> model; ///< it answers now; null: none does
  std::chrono::steady_clock::time_point deadline;
};

/// Codes and texts of JSON-RPC errors that a server gets (specification 2025-11-25,
/// client/sampling, error handling).
inline constexpr int64_t declined_code = -1;

/// Returns what a server is told when the client does not want: an ElicitResult with "decline", or
/// the error -1 for sampling.
server_reply decline(const open_question& open);

/// Returns an answer that is an error.
server_reply refuse(const open_question& open, int64_t code, std::string text);

/// Makes the reply that `answer` is, with a form's defaults filled in.
/// @return request_invalid with the reason, when the answer does not fit what was asked
failure reply_to(const open_question& open, const client_answer& answer, server_reply& out);

/// Accepts a form with nothing but its defaults; declines where they are not enough.
server_reply accept_defaults(const open_question& open);

/// Returns whether the client can fill in something; false for malformed params, and for a URL that
/// a person has to open.
bool is_form(const open_question& open);

/// All open requests. Not thread safe.
class open_questions {
public:
  /// Adds one under its request id.
  void add(open_question open);

  open_question* find(const std::string& request_id);

  /// Removes one; nothing if there is none of that id.
  std::optional<open_question> take(const std::string& request_id);

  /// Removes those for which `chosen` holds and returns them.
  template <class Predicate>
  std::vector<open_question> take_where(Predicate chosen) {
    std::vector<open_question> taken;
    for (auto i = open_.begin(); i != open_.end();) {
      if (!chosen(i->second)) {
        ++i;
        continue;
      }
      taken.push_back(std::move(i->second));
      i = open_.erase(i);
    }
    return taken;
  }

  /// Returns the earliest deadline and its request id; nothing if none is open.
  std::optional<std::pair<std::chrono::steady_clock::time_point, std::string>>
  next_deadline() const;

  bool empty() const noexcept { return open_.empty(); }

private:
  std::map<std::string, open_question> open_; ///< by request id
};

} // namespace troupe
