#include "actors/ids.hpp"

#include <array>
#include <cstdint>
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
  std::string id{prefix};
  for (int half = 0; half < 2; ++half) {
    auto bits = random();
    for (int i = 0; i < 12; ++i, bits >>= 5)
      id.push_back(digits[bits & 31]);
  }
  return id;
}

} // namespace troupe
