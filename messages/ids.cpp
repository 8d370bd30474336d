#include "messages/ids.hpp"

#include <array>
#include <random>

namespace troupe {

namespace {

std::mt19937_64 seeded() {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device(),
                     device(), device(), device(), device()};
  return std::mt19937_64{seed};
}

} // namespace

std::string make_id(std::string_view prefix) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuv";
  thread_local auto random = seeded();
  std::array<char, 24> made;
  for (size_t half = 0; half < made.size(); half += 12) {
    auto bits = random();
    for (size_t i = 0; i < 12; ++i, bits >>= 5)
      made[half + i] = digits[bits & 31];
  }
  std::string id;
  id.reserve(prefix.size() + made.size());
  return id.append(prefix).append(made.data(), made.size());
}

} // namespace troupe
