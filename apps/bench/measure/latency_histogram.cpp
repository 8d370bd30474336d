#include "apps/bench/measure/latency_histogram.hpp"

#include <algorithm>
#include <new>

#include <hdr_histogram.h>

namespace troupe::bench {

namespace {

constexpr int64_t shortest_ns = 1;
constexpr int64_t longest_ns = 3'600'000'000'000;
constexpr int digits = 3;

/// Steps per halving of the distance to 100 %, as HdrHistogram's own printing takes.
constexpr int32_t percentile_ticks = 5;

hdr_histogram* make_counts() {
  hdr_histogram* out = nullptr;
  if (hdr_init(shortest_ns, longest_ns, digits, &out) != 0)
    throw std::bad_alloc{};
  return out;
}

} // namespace

void latency_histogram::closer::operator()(hdr_histogram* it) const {
  hdr_close(it);
}

latency_histogram::latency_histogram(const latency_histogram& other) {
  add(other);
}

latency_histogram& latency_histogram::operator=(const latency_histogram& other) {
  if (this != &other) {
    counts_.reset();
    add(other);
  }
  return *this;
}

void latency_histogram::record(std::chrono::nanoseconds value, uint64_t times) {
  if (times == 0)
    return;
  if (!counts_)
    counts_.reset(make_counts());
  hdr_record_values(counts_.get(), std::clamp<int64_t>(value.count(), 0, longest_ns),
                    static_cast<int64_t>(times));
}

void latency_histogram::add(const latency_histogram& other) {
  if (!other.counts_)
    return;
  if (!counts_)
    counts_.reset(make_counts());
  hdr_add(counts_.get(), other.counts_.get());
}

uint64_t latency_histogram::count() const {
  return counts_ ? static_cast<uint64_t>(counts_->total_count) : 0;
}

double latency_histogram::mean_ns() const {
  return count() == 0 ? 0 : hdr_mean(counts_.get());
}

int64_t latency_histogram::max_ns() const {
  return count() == 0 ? 0 : hdr_max(counts_.get());
}

int64_t latency_histogram::min_ns() const {
  return count() == 0 ? 0 : hdr_min(counts_.get());
}

int64_t latency_histogram::quantile_ns(double quantile) const {
  return count() == 0 ? 0
                      : hdr_value_at_percentile(counts_.get(), std::clamp(quantile, 0., 1.) * 100);
}

void latency_histogram::percentiles(
    const std::function<void(double, int64_t, uint64_t)>& visit) const {
  if (count() == 0)
    return;
  hdr_iter step{};
  hdr_iter_percentile_init(&step, counts_.get(), percentile_ticks);
  while (hdr_iter_next(&step))
    visit(step.specifics.percentiles.percentile / 100, step.highest_equivalent_value,
          static_cast<uint64_t>(step.cumulative_count));
}

} // namespace troupe::bench
