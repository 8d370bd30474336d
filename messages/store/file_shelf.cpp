#include "messages/store/file_shelf.hpp"

#include <fmt/format.h>

namespace troupe {

failure unknown_file(std::string_view id) {
  return {errc::file_unknown,
          fmt::format("There is no file '{}'; it was deleted, has expired, or is another owner's. "
                      "Upload it again.",
                      id)};
}

failure no_file_after(std::string_view id) {
  return {errc::request_invalid, fmt::format("There is no file '{}' to go on after.", id)};
}

failure file_bytes_gone() {
  return {errc::file_unknown, "The bytes of this file are gone; upload it again."};
}

failure file_quota_fault(const file_limits& limits, uint64_t held, uint64_t more) {
  if (limits.max_owner_bytes == 0 || held + more <= limits.max_owner_bytes)
    return {};
  return {errc::quota_used_up,
          fmt::format("Your files take {} of the {} bytes that they may take; delete some "
                      "(DELETE /v1/files/ID) or the conversations that use them.",
                      held, limits.max_owner_bytes)};
}

} // namespace troupe
