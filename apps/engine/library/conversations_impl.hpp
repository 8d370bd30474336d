// The conversations of an engine, by the actors of its system.
#pragma once

#include <atomic>

#include <caf/actor_system.hpp>

#include "apps/engine/config.hpp"
#include "apps/engine/conversations.hpp"

namespace troupe {

/// Answers by requests to the actors of a system. Any thread that may wait.
class conversations_impl final : public conversations {
public:
  /// @param system, config outlive the object
  conversations_impl(caf::actor_system& system, const engine_config& config)
      : system_(system), config_(config) {}

  /// Everything is answered with shutting_down from now on. Any thread.
  void close() noexcept { closed_ = true; }

  conversation_page list(const list_conversations& what) override;
  search_page search(const search_conversations& what) override;
  conversation_answer get(const conversation_name& which) override;
  usage_table usage(const usage_query& what) override;
  info_answer rename(const conversation_name& which, const std::string& title) override;
  failure remove(const conversation_name& which) override;
  info_answer set_overrides(const conversation_name& which,
                            const chat_overrides& overrides) override;
  info_answer branch(const conversation_name& which, const branch_options& how) override;
  info_answer import(const conversation& content, const std::string& owner) override;
  info_answer import_file(std::string json, const conversation_name& which) override;

private:
  info_answer change(const conversation_name& which, change_conversation what);

  template <class Answer, class Ask>
  Answer read(const Ask& what);

  caf::actor_system& system_;
  const engine_config& config_;
  std::atomic<bool> closed_{false};
};

} // namespace troupe
