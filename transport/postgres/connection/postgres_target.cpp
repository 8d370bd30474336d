#include "transport/postgres/connection/postgres_target.hpp"

#include <libpq-fe.h>

#include <memory>

namespace troupe {

namespace {

using parsed_target = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

/// libpq's words about a bad URL are dropped: they repeat the URL.
parsed_target parse_target(const std::string& url) {
  char* said = nullptr;
  parsed_target out{PQconninfoParse(url.c_str(), &said), &PQconninfoFree};
  if (said != nullptr)
    PQfreemem(said);
  return out;
}

std::string_view option_of(const parsed_target& of, std::string_view keyword) {
  for (const auto* each = of.get(); each->keyword != nullptr; ++each)
    if (keyword == each->keyword && each->val != nullptr)
      return each->val;
  return {};
}

} // namespace

bool is_postgres_url(std::string_view text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

failure postgres_url_fault(const std::string& url) {
  if (is_postgres_url(url) && parse_target(url))
    return {};
  return {
      errc::config_invalid,
      "address is not one of a PostgreSQL database that can be used; it looks like "
      "postgresql://USER@HOST:5432/DATABASE, with %-codes for signs that have a meaning in URLs"};
}

std::string shown_postgres_url(const std::string& url) {
  const auto parts = parse_target(url);
  if (!parts)
    return "postgresql://";
  std::string out{"postgresql://"};
  const auto add = [&](std::string_view before, std::string_view what) {
    if (!what.empty())
      out.append(before).append(what);
  };
  add("", option_of(parts, "user"));
  const auto host = option_of(parts, "host");
  if (!option_of(parts, "user").empty() && !host.empty())
    out += '@';
  add("", host);
  add(":", option_of(parts, "port"));
  add("/", option_of(parts, "dbname"));
  return out;
}

std::string postgres_node_name(uint64_t incarnation) {
  return "troupe/" + std::to_string(incarnation);
}

} // namespace troupe
