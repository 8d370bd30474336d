// The description of the HTTP interface against the routes that there are.
#include "apps/engine/http/openapi/openapi_document.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "apps/engine/http/openapi/api_operations.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace openapi_document_test {

using namespace troupe;

namespace {

/// Returns the path as http_route writes it: "/a/{name}" is "/a/{}".
std::string as_row(std::string_view path) {
  std::string out;
  bool inside = false;
  for (const char c : path) {
    inside = inside && c != '}';
    if (!inside)
      out.push_back(c);
    inside = inside || c == '{';
  }
  return out;
}

std::string said_of(std::string_view method, std::string_view path, route_access access) {
  return std::string{method}.append(" ").append(path).append(" ") +
         std::to_string(static_cast<int>(access));
}

} // namespace

TEST_CASE("the description has each route, and no other", "[apps][openapi]") {
  std::set<std::string> described, there;
  for (const auto& each : api_operations())
    CHECK(described.insert(said_of(each.method, as_row(each.path), each.access)).second);
  for (const auto& table : route_tables())
    for (const auto& row : table)
      there.insert(said_of(row.method, row.path, row.access));
  for (const auto& each : there) {
    INFO("lacks a row in api_operations.cpp: " << each);
    CHECK(described.contains(each));
  }
  for (const auto& each : described) {
    INFO("there is no such route: " << each);
    CHECK(there.contains(each));
  }
}

TEST_CASE("all shapes that operations name are there, and no other", "[apps][openapi]") {
  const json_source schemas{api_schemas()};
  REQUIRE(schemas.fault().empty());
  std::set<std::string> names;
  for_each_member(schemas.root(), [&names](std::string_view key, json_value) {
    return names.insert(std::string{key}).second;
  });
  const auto text = openapi_document();
  for (const auto& each : names) {
    INFO(each);
    CHECK(text.find("\"#/components/schemas/" + each + "\"") != std::string::npos);
  }
  for (const auto& each : api_operations())
    for (auto name : {each.request, each.result}) {
      INFO(name);
      CHECK((name.empty() || names.contains(std::string{name})));
    }
}

TEST_CASE("the description is JSON with one operation for each row", "[apps][openapi]") {
  const json_source document{openapi_document()};
  REQUIRE(document.fault().empty());
  std::string_view version, paths;
  read_members(document.root(), {{"openapi", &version}, {"paths", &paths}});
  CHECK(version == R"("3.1.0")");
  size_t count = 0;
  std::set<std::string> ids;
  for_each_member(paths, [&](std::string_view, std::string_view path) {
    return for_each_member(path, [&](std::string_view, std::string_view operation) {
      std::string_view id;
      read_members(operation, {{"operationId", &id}});
      ids.insert(json_string(id));
      ++count;
      return true;
    });
  });
  CHECK(count == api_operations().size());
  CHECK(ids.size() == count);
}

} // namespace openapi_document_test
