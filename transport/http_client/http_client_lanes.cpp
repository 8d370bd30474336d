#include "transport/http_client/http_client_lanes.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace troupe {

namespace {

/// Exchanges per lane, without and with TLS. Walking over a connection in use takes 0.09 us; a lane
/// takes 40 KiB. A lane with TLS reads the trusted certificates, which takes 20 ms and 1 MiB.
constexpr std::array<size_t, 2> room{64, 1024};

/// Lanes of a row that stay when they are empty, with their free connections.
constexpr std::array<size_t, 2> kept{4, 1};

/// Time between two searches for unused lanes.
constexpr std::chrono::seconds look_time{60};

} // namespace

http_client_lane& http_client_lanes::with_room(bool secure) {
  const auto kind = static_cast<size_t>(secure);
  auto& [lanes, first] = rows_[kind];
  while (first < lanes.size() && lanes[first] != nullptr && lanes[first]->is_full())
    ++first;
  if (first == lanes.size())
    lanes.emplace_back();
  if (lanes[first] == nullptr) {
    lanes[first] = std::make_unique<http_client_lane>(
        sockets_, home_, due_, http_client_lane::position{kind, first, room[kind]});
    look_later();
  }
  return *lanes[first];
}

void http_client_lanes::remove(http_client_lane& lane, CURL* easy) {
  lane.remove(easy);
  auto& first = rows_[lane.where().row].first;
  first = std::min(first, lane.where().index);
  if (lane.is_empty() && lane.where().index >= kept[lane.where().row])
    lane.touch();
}

/// Closes an empty lane, except the lane that gets the next exchange: otherwise it, and its
/// connection, would be made anew for each exchange.
void http_client_lanes::tidy(http_client_lane& lane) {
  const auto where = lane.where();
  auto& mine = rows_[where.row];
  if (lane.is_empty() && where.index >= kept[where.row] && mine.first < where.index)
    mine.lanes[where.index].reset();
}

void http_client_lanes::look_later() {
  if (std::exchange(looking_, true))
    return;
  if (!look_)
    look_.emplace(home_, [this] {
      close_unused();
      looking_ = false;
      if (count() > 0)
        look_later();
    });
  look_->start(look_time);
}

void http_client_lanes::close_unused() {
  for (auto& [lanes, first] : rows_)
    for (auto& lane : lanes)
      if (lane != nullptr && lane->is_unused())
        lane.reset();
}

size_t http_client_lanes::count() const {
  size_t out = 0;
  for (const auto& each : rows_)
    out += each.lanes.size() -
           static_cast<size_t>(std::count(each.lanes.begin(), each.lanes.end(), nullptr));
  return out;
}

void http_client_lanes::clear() {
  look_.reset();
  looking_ = false;
  rows_ = {};
}

} // namespace troupe
