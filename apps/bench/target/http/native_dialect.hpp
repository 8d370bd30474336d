// Turns of a Troupe server that it answers with native events.
#pragma once

#include "apps/bench/target/http/http_dialect.hpp"
#include "apps/bench/target/target_address.hpp"

namespace troupe::bench {

/// Sends the new message only: the server has the rest. Turns are stopped by a route.
class native_dialect final : public http_dialect {
public:
  explicit native_dialect(const target_spec& target);

  http_request ask(const turn_ask& what, const chat_history& said) const override;
  std::unique_ptr<answer_reader> reader(size_t keep_bytes) const override;
  bool brings_history() const override;
  std::optional<http_request> stop(const std::string& session_id) const override;
  http_request probe() const override;
  failure judge(uint16_t status, const std::string& body) const override;

private:
  target_spec target_;
  split_address sessions_;
};

} // namespace troupe::bench
