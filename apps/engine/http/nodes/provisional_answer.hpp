// An answer that is held back when it says that a chat is busy: another node may run its turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/sinks/forwarded_response.hpp"

namespace troupe {

/// An answer that was not sent.
struct held_answer {
  uint16_t status = 0;
  headers fields;
  std::string body;
};

/// Passes everything on to the client but such an answer, and keeps the request until it is known
/// which. No lock: the answer and the request come in any order, on any threads, and the second one
/// goes on.
class provisional_answer final : public forwarded_response {
public:
  /// Takes over what was held back: the call, with the client's response in it, and the answer.
  using successor = std::function<void(http_call&&, held_answer&&)>;

  /// @param holds returns whether an answer of that status is held back
  provisional_answer(const std::shared_ptr<http_response>& client,
                     std::function<bool(uint16_t)> holds, successor next);

  /// Takes the request when its route has run. Once.
  void keep(http_call&& call);

  void send(uint16_t status, const headers& extra, std::string body) override;
  void start(uint16_t status, const headers& extra) override;

private:
  void decide(bool refused);
  void settle();

  std::shared_ptr<http_response> client_;
  std::function<bool(uint16_t)> holds_;
  successor next_;
  held_answer held_;
  std::unique_ptr<http_call> call_;
  bool refused_ = false;
  std::atomic<uint8_t> known_{0}; ///< the bits `has_call` and `has_answer`
};

} // namespace troupe
