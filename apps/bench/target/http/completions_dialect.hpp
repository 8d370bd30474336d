// Chat completions, streamed, of any endpoint that has them.
#pragma once

#include "apps/bench/target/http/http_dialect.hpp"

namespace troupe::bench {

/// Sends the whole chat with each turn. Turns are stopped by closing their connection.
class completions_dialect final : public http_dialect {
public:
  explicit completions_dialect(const target_spec& target);

  http_request ask(const turn_ask& what, const chat_history& said) const override;
  std::unique_ptr<answer_reader> reader(size_t keep_bytes) const override;
  bool brings_history() const override;
  std::optional<http_request> stop(const std::string& session_id) const override;
  http_request probe() const override;
  failure judge(uint16_t status, const std::string& body) const override;

private:
  target_spec target_;
  std::string url_;
  bool asks_for_usage_; ///< false if the plan's parameters have stream_options
};

} // namespace troupe::bench
