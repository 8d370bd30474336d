#include "messages/wire/provider/token_count.hpp"

#include "messages/wire/json/json_slice.hpp"

namespace troupe {

uint64_t token_count(std::string_view slice) {
  constexpr int64_t most = 1'000'000'000'000;
  const auto count = id_of(slice).value_or(0);
  return count < 0 || count > most ? 0 : static_cast<uint64_t>(count);
}

} // namespace troupe
