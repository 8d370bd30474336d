// Random numbers that a seed alone decides, the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>

namespace troupe::bench {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): eight
/// bytes of state, so that every session can have its own.
class random_source {
public:
  explicit random_source(uint64_t seed) : state_{seed} {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Returns a number from 0 to below 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Returns a number of an exponential distribution with that mean.
  double exponential(double mean) { return -std::log1p(-unit()) * mean; }

  /// Returns an independent source for the part `number`. Does not change this one.
  random_source part(uint64_t number) const {
    return random_source{random_source{state_ ^ (number + 1) * 0xd1342543de82ef95}.next()};
  }

private:
  uint64_t state_;
};

} // namespace troupe::bench
