#include "messages/store/owner_quota.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace troupe {

namespace {

uint64_t changed(uint64_t held, int64_t by) {
  return by < 0 ? held - std::min(held, static_cast<uint64_t>(-by))
                : held + static_cast<uint64_t>(by);
}

} // namespace

failure quota_fault(const owner_quota& quota, const owner_holdings& held,
                    const holdings_change& more) {
  if (quota.conversations > 0 && more.conversations > 0 &&
      changed(held.conversations, more.conversations) > quota.conversations)
    return {errc::quota_used_up,
            fmt::format("{} conversations are kept, and {} may be; delete conversations that are "
                        "not needed any more.",
                        held.conversations, quota.conversations)};
  if (quota.bytes > 0 && changed(held.bytes, more.bytes) > quota.bytes)
    return {errc::quota_used_up,
            fmt::format("{} bytes of conversations are kept, {} may be, and this would add {}; "
                        "delete conversations that are not needed any more.",
                        held.bytes, quota.bytes, std::max<int64_t>(more.bytes, 0))};
  return {};
}

} // namespace troupe
