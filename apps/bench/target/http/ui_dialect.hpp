// UI messages, as the AI SDK sends them: to Troupe, or to any endpoint that takes them.
#pragma once

#include "apps/bench/target/http/http_dialect.hpp"

namespace troupe::bench {

/// Sends the whole chat with each turn, as useChat does. A turn of Troupe is stopped by its route,
/// any other by closing its connection.
class ui_dialect final : public http_dialect {
public:
  explicit ui_dialect(const target_spec& target);

  http_request ask(const turn_ask& what, const chat_history& said) const override;
  std::unique_ptr<answer_reader> reader(size_t keep_bytes) const override;
  bool brings_history() const override;
  std::optional<http_request> stop(const std::string& session_id) const override;
  http_request probe() const override;
  failure judge(uint16_t status, const std::string& body) const override;

private:
  target_spec target_;
  std::string url_;
};

} // namespace troupe::bench
