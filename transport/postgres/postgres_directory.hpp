// Questions about the nodes of a cluster.
#pragma once

#include <string>

#include "messages/cluster/member_port.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_self.hpp"

namespace troupe {

/// See node_directory. Each question is one round trip on a connection of its own,
/// but for chats of dead nodes.
class postgres_directory : public node_directory {
public:
  /// @param now_ms must not be nullptr
  postgres_directory(postgres_place at, int64_t (*now_ms)(), postgres_self self)
      : db_{std::move(at)}, now_ms_{now_ms}, self_{std::move(self)} {}

  chat_owner find(const find_owner& ask) override;
  node_list nodes() override;
  chat_owner take(const claim_orphan& ask) override;
  failure drain(const std::string& name) override;
  failure forget(const std::string& name, uint64_t& freed) override;

private:
  chat_owner read_owner(failure error, postgres_rows& rows) const;
  failure free_of_dead(const chat_owner& of, int64_t chat, bool& dead);

  postgres_connection db_;
  int64_t (*now_ms_)();
  postgres_self self_;
};

} // namespace troupe
