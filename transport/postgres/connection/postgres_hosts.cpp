#include "transport/postgres/connection/postgres_hosts.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace troupe {

namespace {

size_t length(std::string_view list) {
  return static_cast<size_t>(std::ranges::count(list, ',')) + 1;
}

/// Returns the member of a list; one of a single member has the same for all servers.
std::string_view member(std::string_view list, size_t place) {
  for (place %= length(list); place > 0; --place)
    list.remove_prefix(list.find(',') + 1);
  return list.substr(0, list.find(','));
}

/// Returns a list with commas that begins with another member, and goes on behind the end with the
/// members before that one.
std::string rotated(std::string_view list, size_t first) {
  const auto place = first % length(list);
  const auto at = static_cast<size_t>(member(list, place).data() - list.data());
  if (place == 0)
    return std::string{list};
  return std::string{list.substr(at)}.append(",").append(list.substr(0, at - 1));
}

} // namespace

/// Members of the URL win over values before it in the arrays, and lose to values after it. A
/// server that vanishes without a word is noticed within some 20 s, also by a caller that only
/// waits for it.
pg_conn* postgres_hosts::start() {
  constexpr std::array<const char*, 11> keys{"keepalives_idle",
                                             "keepalives_interval",
                                             "keepalives_count",
                                             "tcp_user_timeout",
                                             "fallback_application_name",
                                             "dbname",
                                             "client_encoding",
                                             "host",
                                             "hostaddr",
                                             "port",
                                             nullptr};
  const bool is_other = first_ != 0; // what is empty counts as not said
  const auto names = is_other ? rotated(names_, first_) : std::string{};
  const auto addresses = is_other ? rotated(addresses_, first_) : std::string{};
  const auto ports = is_other ? rotated(ports_, first_) : std::string{};
  const std::array<const char*, 11> values{"10",          "3",           "3",
                                           "15000",       "troupe",      url_.c_str(),
                                           "UTF8",        names.c_str(), addresses.c_str(),
                                           ports.c_str(), nullptr};
  auto* out = PQconnectStartParams(keys.data(), values.data(), 1);
  if (out != nullptr && first_ == 0)
    read(*out); // what the environment and its files say may change
  return out;
}

void postgres_hosts::read(pg_conn& made) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> all{PQconninfo(&made),
                                                                         &PQconninfoFree};
  for (const auto* each = all.get(); each != nullptr && each->keyword != nullptr; ++each) {
    const std::string_view name{each->keyword};
    const std::string_view value{each->val == nullptr ? "" : each->val};
    if (name == "host")
      names_ = value;
    else if (name == "hostaddr")
      addresses_ = value;
    else if (name == "port")
      ports_ = value;
    else if (name == "target_session_attrs")
      has_choice_ = !value.empty() && value != "any";
  }
  count_ = std::max(length(names_), length(addresses_));
  has_choice_ = has_choice_ || count_ > 1;
}

/// Returns where a connection's server stands in the address. libpq says only what it is called.
size_t postgres_hosts::place_of(const pg_conn& made) const {
  const std::string_view host{PQhost(&made)};
  const std::string_view port{PQport(&made)};
  for (size_t i = 0; i < count_; ++i) {
    const auto name = member(names_, i);
    if ((name.empty() ? member(addresses_, i) : name) == host && member(ports_, i) == port)
      return i;
  }
  return first_;
}

bool postgres_hosts::go_on(const pg_conn& silent) {
  first_ = (place_of(silent) + 1) % count_;
  silent_ = (silent_ + 1) % count_;
  return silent_ != 0;
}

void postgres_hosts::found(const pg_conn& made) {
  first_ = place_of(made);
  silent_ = 0;
}

bool postgres_hosts::begin_anew() {
  return std::exchange(first_, 0) != 0;
}

bool postgres_hosts::takes_connections() const {
  constexpr std::array<const char*, 3> names{"dbname", "connect_timeout", nullptr};
  const std::array<const char*, 3> values{url_.c_str(), "2", nullptr};
  return PQpingParams(names.data(), values.data(), 1) == PQPING_OK;
}

} // namespace troupe
