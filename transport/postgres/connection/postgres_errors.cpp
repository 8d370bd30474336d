#include "transport/postgres/connection/postgres_errors.hpp"

#include <string>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr std::string_view rows_changed = "other rows than expected: another process wrote them";

std::string_view remedy_of(errc code, std::string_view state, bool goes_on) {
  if (state.empty() || state.starts_with("08") || state.starts_with("57P") || state == "53300")
    return goes_on ? "see whether the database runs and can be reached; it goes on by itself"
                   : "see whether the database runs and can be reached";
  if (state.starts_with("28") || state.starts_with("3D") || state == "42501")
    return "give the role of the store's address what it needs, or name another one";
  switch (code) {
  case errc::store_full:
    return "make room on the disk of the database; it goes on by itself";
  case errc::store_read_only:
    return "name a server that takes writes; with several hosts add "
           "target_session_attrs=read-write";
  case errc::store_locked:
    return "end the other program that holds these rows";
  case errc::store_timeout:
    return "ask for less, or again when there is less to do";
  case errc::store_damaged:
    return "restore the database from a copy";
  default:
    return state == rows_changed_state ? "try again" : "see the log of the database";
  }
}

/// One line, without what stands behind the last sentence.
std::string line_of(std::string_view said) {
  std::string out;
  for (const char c : said)
    if (c != '\n' && c != '\t')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  while (!out.empty() && (out.back() == ' ' || out.back() == '.'))
    out.pop_back();
  return out;
}

} // namespace

errc postgres_error(std::string_view state) {
  if (state == "53100")
    return errc::store_full;
  if (state == "25006")
    return errc::store_read_only;
  if (state == "55P03")
    return errc::store_locked;
  if (state == "57014") // only deadlines cancel
    return errc::store_timeout;
  if (state == "XX001" || state == "XX002")
    return errc::store_damaged;
  return errc::store_failed;
}

bool is_of_connection(const failure& why, std::string_view state) {
  return why.code == errc::store_failed && (state.empty() || state.starts_with("57P"));
}

failure postgres_failure(const postgres_trouble& what) {
  const auto code = postgres_error(what.state);
  const auto said =
      what.state == rows_changed_state ? std::string{rows_changed} : line_of(what.said);
  return {code, fmt::format("cannot {} in {}: {}; {}", what.doing, what.where, said,
                            remedy_of(code, what.state, what.goes_on))};
}

} // namespace troupe
