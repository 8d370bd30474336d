#include "transport/postgres/connection/postgres_pauses.hpp"

#include <algorithm>

namespace troupe {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_refusal{50}, last_refusal{1000};
constexpr milliseconds first_silence{500}, last_silence{4000};

milliseconds grown(milliseconds last, milliseconds first, milliseconds most) {
  return std::clamp(last * 2, first, most);
}

} // namespace

milliseconds postgres_pauses::after_refusal() {
  return scattered(refused_ = grown(refused_, first_refusal, last_refusal));
}

milliseconds postgres_pauses::after_silence() {
  return scattered(silent_ = grown(silent_, first_silence, last_silence));
}

milliseconds postgres_pauses::scattered(milliseconds time) {
  return milliseconds{
      std::uniform_int_distribution<int64_t>{time.count() / 2, time.count()}(source_)};
}

} // namespace troupe
