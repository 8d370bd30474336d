#include "actors/resources/attachments.hpp"

#include "tests/support/catch.hpp"

namespace resource_cache_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

const resource_cache::time_point start{};

std::string found(resource_cache& cache, const resource_key& key,
                  resource_cache::time_point now = start) {
  const auto* got = cache.find(key, now);
  return got == nullptr ? "(none)" : *got;
}

} // namespace

TEST_CASE("contents are kept by server and uri", "[actors][resource_cache]") {
  resource_cache cache{{}};
  cache.put({"one", "x"}, "first", start);
  cache.put({"two", "x"}, "second", start);
  CHECK(found(cache, {"one", "x"}) == "first");
  CHECK(found(cache, {"two", "x"}) == "second");
  CHECK(found(cache, {"one", "y"}) == "(none)");
  cache.put({"one", "x"}, "new", start);
  CHECK(found(cache, {"one", "x"}) == "new");
  CHECK(cache.entries() == 2);
  CHECK(cache.bytes() == 9);
}

TEST_CASE("contents older than the ttl are not given out", "[actors][resource_cache]") {
  resource_cache cache{{1000ms, 50, 100}};
  cache.put({"one", "x"}, "old", start);
  CHECK(found(cache, {"one", "x"}, start + 1000ms) == "old");
  CHECK(found(cache, {"one", "x"}, start + 1001ms) == "(none)");
  CHECK(cache.entries() == 0);
  CHECK(cache.bytes() == 0);
}

TEST_CASE("at the bound of entries the one that was not used for longest goes",
          "[actors][resource_cache]") {
  resource_cache cache{{1000ms, 2, 100}};
  cache.put({"one", "a"}, "A", start);
  cache.put({"one", "b"}, "B", start);
  CHECK(found(cache, {"one", "a"}) == "A");
  cache.put({"one", "c"}, "C", start);
  CHECK(found(cache, {"one", "b"}) == "(none)");
  CHECK(found(cache, {"one", "a"}) == "A");
  CHECK(found(cache, {"one", "c"}) == "C");
}

TEST_CASE("the bound of bytes holds, and what is above it alone is not kept",
          "[actors][resource_cache]") {
  resource_cache cache{{1000ms, 50, 10}};
  cache.put({"one", "a"}, "12345", start);
  cache.put({"one", "b"}, "12345", start);
  cache.put({"one", "c"}, "123456", start);
  CHECK(cache.bytes() == 6);
  CHECK(found(cache, {"one", "c"}) == "123456");
  cache.put({"one", "c"}, "12345678901", start);
  CHECK(found(cache, {"one", "c"}) == "(none)");
  CHECK(cache.bytes() == 0);
}

TEST_CASE("one resource or all of a server can be forgotten", "[actors][resource_cache]") {
  resource_cache cache{{}};
  for (const auto* server : {"one", "one!", "two"})
    for (const auto* uri : {"a", "ab", "b"})
      cache.put({server, uri}, "text", start);
  cache.forget({"one", "a"});
  CHECK(found(cache, {"one", "a"}) == "(none)");
  CHECK(found(cache, {"one", "ab"}) == "text");
  cache.forget({"one", ""});
  CHECK(cache.entries() == 6);
  CHECK(found(cache, {"one", "b"}) == "(none)");
  CHECK(found(cache, {"one!", "a"}) == "text");
  CHECK(found(cache, {"two", "a"}) == "text");
}

} // namespace resource_cache_test
