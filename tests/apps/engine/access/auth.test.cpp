// API keys: their form, what is kept of them, how requests carry them, their rate.
#include "apps/engine/access/auth.hpp"

#include "apps/engine/access/api_keys.hpp"
#include "tests/support/catch.hpp"

namespace auth_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

struct made_key {
  api_key row;
  std::string text;
};

made_key make(const std::string& owner) {
  made_key out;
  out.row.owner = owner;
  REQUIRE_FALSE(make_key(out.row, out.text));
  return out;
}

server_request with(headers fields, std::string path = "/v1/status") {
  server_request out;
  out.method = "GET";
  out.path = std::move(path);
  out.fields = std::move(fields);
  return out;
}

std::string key_of(const server_request& request) {
  return std::string{read_known_fields(request).key};
}

admission admitted(const server_request& request, route_access access, const engine_config& config,
                   const key_ring& keys) {
  return admit(read_known_fields(request), access, config, keys);
}

/// Returns how many of `count` requests at the same time are let through.
int taken(key_meter& meter, int count, key_meter::clock::time_point now) {
  int out = 0;
  for (int i = 0; i < count; ++i)
    out += meter.take(now) == 0ns ? 1 : 0;
  return out;
}

} // namespace

TEST_CASE("a key is its id and a secret, of which only a hash is kept", "[apps][auth]") {
  const auto first = make("alice");
  const auto second = make("alice");
  CHECK(first.text != second.text);
  const auto parts = split_key(first.text);
  REQUIRE(parts);
  CHECK(parts->id == first.row.id);
  CHECK(parts->id.size() == 12);
  CHECK(parts->secret.size() == 43);
  CHECK(first.row.hash == hash_secret(parts->secret));
  CHECK(first.row.hash.find(parts->secret) == std::string::npos);
  CHECK(is_secret_of(parts->secret, first.row.hash));
  CHECK_FALSE(is_secret_of(split_key(second.text)->secret, first.row.hash));
  CHECK_FALSE(is_secret_of(parts->secret, ""));
}

TEST_CASE("a secret is hashed with SHA-256", "[apps][auth]") {
  CHECK(hash_secret("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a text without the form of a key is none", "[apps][auth]") {
  const auto good = make("alice").text;
  CHECK(split_key(good));
  for (const auto& bad :
       {std::string{}, std::string{"tk_"}, std::string{"sk-abc"}, good.substr(1), good + "a",
        good.substr(0, good.size() - 1), "TK" + good.substr(2),
        good.substr(0, good.size() - 1) + "=", "tk_short_" + std::string(43, 'a')}) {
    INFO(bad);
    CHECK_FALSE(split_key(bad));
  }
}

TEST_CASE("an owner is a short name", "[apps][auth]") {
  for (const auto* good : {"a", "alice", "Bob.Smith@example.org", "team_7-x"})
    CHECK_FALSE(check_owner(good));
  for (const auto& bad : {std::string{}, std::string{"a b"}, std::string{"a\x1f"},
                          std::string{"\xC3\xA9"}, std::string(65, 'a')})
    CHECK(check_owner(bad).code == errc::request_invalid);
}

TEST_CASE("only a key of the ring lets in, until it is revoked", "[apps][auth]") {
  key_ring ring;
  auto alice = make("alice");
  auto bob = make("bob");
  bob.row.concurrent_turns = 3;
  bob.row.admin = false;
  principal who;
  CHECK(ring.find(alice.text, who).code == errc::store_failed); // nothing was read yet
  ring.update({{}, {alice.row, bob.row}});
  REQUIRE_FALSE(ring.find(bob.text, who));
  CHECK(who.owner == "bob");
  CHECK_FALSE(who.admin);
  CHECK(who.concurrent_turns == 3);
  const auto meter = who.meter;
  for (const auto& bad : {std::string{}, make("bob").text, // of an unknown id
                          "tk_" + bob.row.id + alice.text.substr(alice.text.find('_', 3))})
    CHECK(ring.find(bad, who).code == errc::unauthorized);

  SECTION("a list that could not be read changes nothing") {
    ring.update({{errc::store_locked, ""}, {}});
    CHECK_FALSE(ring.find(bob.text, who));
  }
  SECTION("a key that stays keeps what was counted") {
    bob.row.concurrent_turns = 4;
    ring.update({{}, {bob.row}});
    REQUIRE_FALSE(ring.find(bob.text, who));
    CHECK(who.concurrent_turns == 4);
    CHECK(who.meter == meter);
    CHECK(ring.find(alice.text, who).code == errc::unauthorized);
  }
  SECTION("a revoked key is told to whoever came in with it") {
    bob.row.revoked_ms = 1;
    ring.update({{}, {alice.row, bob.row}});
    CHECK(ring.find(bob.text, who).code == errc::unauthorized);
    CHECK(meter->is_revoked());
    CHECK_FALSE(ring.find(alice.text, who));
    CHECK_FALSE(who.meter->is_revoked());
  }
}

TEST_CASE("a rate lets a tenth of a minute's worth through at once", "[apps][auth]") {
  const key_meter::clock::time_point start{1h};
  struct row {
    uint32_t per_minute;
    int at_once;
    std::chrono::milliseconds step;
  };
  for (const auto& each : {row{60, 6, 1000ms}, row{600, 60, 100ms}, row{6, 5, 10'000ms}}) {
    INFO(each.per_minute);
    key_meter meter{each.per_minute};
    CHECK(taken(meter, 1000, start) == each.at_once);
    CHECK(meter.take(start) == each.step);
    CHECK(meter.take(start + each.step - 1ms) == 1ms);
    CHECK(taken(meter, 10, start + each.step) == 1);
    CHECK(taken(meter, 1000, start + 1h) == each.at_once); // what was not used is not saved up
  }
  key_meter free{0};
  CHECK(taken(free, 1000, start) == 1000);
  free.limit(60);
  CHECK(taken(free, 1000, start) == 6);
}

TEST_CASE("of a key that other nodes let in, too, a part of the rate is let in here",
          "[apps][auth]") {
  const key_meter::clock::time_point start{1h};
  key_meter meter{600};
  meter.share(0.5);
  CHECK(taken(meter, 1000, start) == 30);
  CHECK(meter.take(start) == 200ms);
  CHECK(meter.take_count() == 30);
  CHECK(meter.take_count() == 0);
  SECTION("which may change in the middle, and lets nothing more in at once") {
    meter.share(1);
    CHECK(taken(meter, 1000, start + 200ms) == 2);
  }
  SECTION("and a small rate lets some in at once, too") {
    key_meter small{6};
    small.share(0.25);
    CHECK(taken(small, 100, start) == 5);
    CHECK(small.take(start) == 40s);
  }
}

TEST_CASE("keys have the parts that they are given, new ones that of the others", "[apps][auth]") {
  key_ring ring;
  auto ann = make("ann");
  auto bob = make("bob");
  auto free = make("free");
  ann.row.requests_per_minute = bob.row.requests_per_minute = 600;
  const auto use = [&](const made_key& key) {
    principal who;
    REQUIRE_FALSE(ring.find(key.text, who));
    return taken(*who.meter, 1000, key_meter::clock::now());
  };
  ring.share({{"nobody", 1}}, 0.5); // there are no keys yet
  CHECK(ring.take_counts().empty());
  ring.update({{}, {ann.row, free.row}});
  CHECK(use(ann) == 30);
  CHECK(use(free) == 1000);
  const auto counts = ring.take_counts();
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].key == ann.row.id);
  CHECK(counts[0].requests == 30);
  ring.update({{}, {ann.row, bob.row}});
  ring.share({{bob.row.id, 0.8}}, 0.1);
  CHECK(use(bob) == 48);
}

TEST_CASE("a key is found wherever clients can put it", "[apps][auth]") {
  CHECK(key_of(with({{"authorization", "Bearer tk_1"}})) == "tk_1");
  CHECK(key_of(with({{"authorization", "bearer   tk_1"}})) == "tk_1");
  CHECK(key_of(with({{"authorization", "Basic abc"}, {"x-api-key", "tk_2"}})) == "tk_2");
  CHECK(key_of(with({{"x-api-key", "tk_2"}})) == "tk_2");
  const headers handshake{{"sec-websocket-protocol", "troupe.v1, troupe.key.tk_3"}};
  CHECK(key_of(with(handshake, "/v1/ws")) == "tk_3");
  CHECK(key_of(with(handshake, "/v1/models")).empty());
  CHECK(key_of(with({{"authorization", "Bearer "}})).empty());
  CHECK(key_of(with({{"authorization", "Bearer"}})).empty());
  CHECK(key_of(with({})).empty());
}

TEST_CASE("what is refused says what to do", "[apps][auth]") {
  engine_config config;
  config.auth.keys = true;
  key_ring ring;
  auto key = make("bob");
  key.row.requests_per_minute = 60;
  ring.update({{}, {key.row}});
  const headers fields{{"authorization", "Bearer " + key.text}};

  auto none = admitted(with({}), route_access::owners, config, ring);
  CHECK(none.refused.code == errc::unauthorized);
  CHECK(find_header(none.fields, "www-authenticate") == "Bearer");
  CHECK_FALSE(admitted(with({}), route_access::everybody, config, ring).refused);
  CHECK(admitted(with(fields), route_access::admins, config, ring).refused.code == errc::forbidden);
  auto let_in = admitted(with(fields), route_access::owners, config, ring);
  CHECK_FALSE(let_in.refused);
  CHECK(let_in.who.owner == "bob");
  while (let_in.who.meter->take() == 0ns) {
  }
  auto early = admitted(with(fields), route_access::owners, config, ring);
  CHECK(early.refused.code == errc::rate_limited);
  CHECK(find_header(early.fields, "retry-after") == "1");

  config.auth.keys = false;
  auto only = admitted(with({}), route_access::admins, config, ring);
  CHECK_FALSE(only.refused);
  CHECK(only.who.owner.empty());
}

} // namespace auth_test
