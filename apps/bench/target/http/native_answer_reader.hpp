// Answers in Troupe's native events.
#pragma once

#include "apps/bench/target/http/answer_reader.hpp"

namespace troupe::bench {

/// Reads native events up to SESSION_END or SESSION_ERROR. The event's name is enough for all but
/// the last event, whose JSON is the only one to be parsed.
class native_answer_reader final : public answer_reader {
public:
  using answer_reader::answer_reader;

protected:
  void read(const sse_event& each) override;

private:
  void failed(std::string_view json);
  void ended(std::string_view json);

  bool aborted_ = false;
};

} // namespace troupe::bench
