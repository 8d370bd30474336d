// The servers that an address names, one of which is the one to use.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

struct pg_conn;

namespace troupe {

/// Begins connections to the servers of an address. libpq goes on to the next server where one
/// refuses, but waits for one that is silent: a machine that is gone, a process that hangs. So the
/// next try begins with the next one. One thread at a time.
class postgres_hosts {
public:
  explicit postgres_hosts(std::string url) : url_{std::move(url)} {}

  /// Begins to connect. @return nullptr: there is no memory
  pg_conn* start();

  /// A connection got no answer in its time: the next try begins with the server behind its own.
  /// @return false: so many were silent, one after the other, as there are
  bool go_on(const pg_conn& silent);
  /// One was found; the next try begins with the same.
  void found(const pg_conn& made);
  /// The one that was found takes no writes: the next try begins with the first of the address.
  /// @return false: it was the first
  bool begin_anew();

  /// Returns whether another server, or this one in another role, may be what is wanted a moment
  /// later. The environment counts, too. After start().
  bool has_choice() const { return has_choice_; }

  /// Returns whether a server takes connections: then another try fails as the last one did.
  bool takes_connections() const;

private:
  void read(pg_conn& made);
  size_t place_of(const pg_conn& made) const;

  std::string url_;
  std::string names_, addresses_, ports_; ///< as libpq has them, with commas
  size_t count_ = 1;                      ///< of servers
  size_t first_ = 0;                      ///< the one that a try begins with
  size_t silent_ = 0;                     ///< so many were, one after the other
  bool has_choice_ = false;
};

} // namespace troupe
