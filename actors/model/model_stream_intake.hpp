// The way of an answer's bytes: through the decoder, to whoever reads the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <caf/actor_clock.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The decoder of one attempt, where its bytes arrive. They go to the model_stream, which decides
/// what to make of them, until that says that all which follows is the reader's: from there on
/// a read costs one message. The lock is for schedulers that run actors on other threads than the
/// exchange's.
class model_stream_intake {
public:
  using time_point = caf::actor_clock::time_point;

  /// @param clock outlives this
  model_stream_intake(caf::actor_clock& clock, model_stream_actor stream, uint64_t attempt,
                      std::unique_ptr<model_decoder> decoder);

  /// Takes what the exchange brings. On its thread, one call at a time.
  void arrive(http_part&& part);

  /// Decodes a part that came to the model_stream, and appends its events to `out`.
  model_end read(const http_part& part, std::vector<event>& out);

  /// Says that the reader was told of the part read last: what arrives may follow it.
  void told();

  /// As model_decoder::finish.
  model_end finish(const failure& cut, std::vector<event>& out);

  /// Sends the reader all parts that come from now on, as outputs of that request. Exceptions are
  /// the answer's end and the parts in which the model says that it is done, or continues
  /// nevertheless. Parts on their way to the model_stream keep their place.
  void go_on(model_reader_actor reader, uint32_t request);

  /// Returns when the last bytes came to the reader; the clock's epoch if none did.
  time_point last_read() const;

private:
  bool pass_on(http_part& part);

  mutable std::mutex mutex_;
  caf::actor_clock& clock_;
  std::unique_ptr<model_decoder> decoder_;
  model_reader_actor reader_; ///< empty: all goes to the model_stream
  size_t under_way_ = 0;      ///< parts that were sent to the model_stream and not told yet
  time_point last_read_{};
  uint32_t request_ = 0;
  const model_stream_actor stream_;
  const uint64_t attempt_;
  bool finished_ = false; ///< the model_stream was told that the model is done
  bool waits_ = false;    ///< a part was decoded that the model_stream has not asked for yet
  model_end end_;         ///< of that part
  std::vector<event> rest_;
};

} // namespace troupe
