// Puts the questions of an mcp_hub's servers to clients: sampling and elicitation.
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

#include "actors/mcp_hub/mcp_hub_server.hpp"
#include "actors/mcp_hub/tool_leases.hpp"
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
  uint64_t charged_call = 0;              ///< the same, or the only one of the server
  uint64_t charged_tokens = 0;            ///< before there is an answer
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

struct mcp_hub_state;

/// The part of an mcp_hub's state that knows the open questions of its servers. The state owns it.
///
///     server_ask --policy deny---> refused
///        |'------policy allow--> answered by the form's defaults, or open: a model answers
///        '-------policy ask----> open: client_ask to the caller, or "clientRequest" to watchers
///     open --answer, server_ask_over, deadline, end of the caller or the connection--> over
///
/// A URL that a person has to open is put to a client also where the policy is to allow. A question
/// is declined when no client can answer it.
class mcp_hub_questions {
public:
  explicit mcp_hub_questions(mcp_hub_state& hub) : hub_{hub} {}

  // -- from connections
  void on_server_ask(server_ask& ask);
  void on_ask_over(const server_ask_over& over);

  // -- from clients and models
  failure on_client_answer(const client_answer& answer);
  void on_sampled(const client_answer& answer, const failure& why, uint64_t tokens);

  void on_expire(); ///< a deadline may have passed

  /// Forgets the questions of a server that waits for no answer any more.
  void drop(const std::string& server);

  /// Declines the questions of a call that is over. @param lease released already
  void decline_of(const tool_lease& lease);

  /// Declines the questions that were put to watchers, where no watcher can answer any more.
  void decline_unanswerable();

private:
  void let_model_answer(open_question open);
  std::string charge(hub_server& server, open_question& open) const; ///< "", or the limit reached
  void tell_refused(hub_server& server, const std::string& why) const;
  void ask_client(open_question open);
  void keep_open(open_question open); ///< until its deadline
  void reply(const open_question& open, server_reply answer);
  void finish(const open_question& open, server_reply answer); ///< replies and tells the watchers
  void tell_over(const open_question& open) const;
  void wake_at_next_deadline();

  mcp_hub_state& hub_;
  open_questions pending_;
  std::optional<hub_clock::time_point> wake_; ///< when the next atom::expire comes
};

} // namespace troupe
