// Puts the questions of an mcp_hub's servers to clients: sampling and elicitation.
#pragma once

#include <optional>
#include <string>

#include "actors/mcp_hub/mcp_hub_server.hpp"
#include "actors/mcp_hub/open_questions.hpp"
#include "actors/mcp_hub/tool_leases.hpp"

namespace troupe {

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
  void on_sampled(const client_answer& answer, const failure& why);

  void on_expire(); ///< a deadline may have passed

  /// Forgets the questions of a server that waits for no answer any more.
  void drop(const std::string& server);

  /// Declines the questions of a call that is over. @param lease released already
  void decline_of(const tool_lease& lease);

  /// Declines the questions that were put to watchers, where no watcher can answer any more.
  void decline_unanswerable();

private:
  void let_model_answer(open_question open);
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
