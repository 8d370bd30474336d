// A target in this process that answers at once, which measures the generator alone.
#pragma once

#include <memory>

#include "apps/bench/target/target.hpp"

namespace troupe::bench {

/// Its turns tell of one piece of text and end, in the next step of the lane's loop.
class null_targets : public target_factory {
public:
  failure check() override { return {}; }
  std::unique_ptr<target> make(loop& lane) override;
};

} // namespace troupe::bench
