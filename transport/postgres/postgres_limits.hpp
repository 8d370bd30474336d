// The usage of limits by the nodes of a cluster.
#pragma once

#include <vector>

#include "messages/cluster/limit_port.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_self.hpp"

namespace troupe {

/// See limit_port. Each question is one round trip on a connection of its own. The tables are not
/// logged: a crash of the database empties them, and the next second fills them again.
class postgres_limits : public limit_port {
public:
  postgres_limits(postgres_place at, postgres_self self)
      : db_{std::move(at)}, self_{std::move(self)} {}

  failure exchange(const std::vector<key_use>& mine, std::vector<key_use>& others) override;

  failure take_place_of(const take_place& want, bool& taken) override;
  failure put(const owner_turns& now) override;
  failure clear_places() override;

private:
  void tidy();

  postgres_connection db_;
  postgres_self self_;
  unsigned until_tidy_ = 0; ///< exchanges until old rows are cleared away
};

} // namespace troupe
