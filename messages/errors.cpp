#include "messages/errors.hpp"

#include <array>

namespace troupe {

namespace {

struct row {
  std::string_view name;
  blame who;
  bool retry;
  uint16_t status;
  std::string_view text;
};

constexpr std::array rows{
#define TROUPE_ROW(name, who, retry, status, text) row{#name, blame::who, retry, status, text},
    TROUPE_ERRORS(TROUPE_ROW)
#undef TROUPE_ROW
};

const row& of(errc code) {
  auto index = static_cast<size_t>(code);
  return rows[index < rows.size() ? index : static_cast<size_t>(errc::internal)];
}

} // namespace

std::string to_string(errc code) {
  return std::string{of(code).name};
}

errc errc_from(std::string_view name) {
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name)
      return static_cast<errc>(i);
  return errc::internal;
}

blame caused_by(errc code) {
  return of(code).who;
}

bool retryable(errc code) {
  return of(code).retry;
}

uint16_t http_status(errc code) {
  return of(code).status;
}

std::string_view user_text(errc code) {
  return of(code).text;
}

} // namespace troupe
