// Apart from its header: CAF's code for all types of messages takes half a minute to compile.
#include "tests/support/deterministic.hpp"

namespace troupe::test {

deterministic_config::deterministic_config() {
  add_message_types<caf::id_block::troupe>();
  set("scheduler.policy", caf::atom("testing"));
}

} // namespace troupe::test
