// GET /v1/mcp/events beside a client that does not keep up.
#include "apps/engine/http/routes/mcp/mcp_event_stream.hpp"

#include "actors/registry.hpp"
#include "apps/engine/access/key_meter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deterministic.hpp"

namespace mcp_event_stream_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// A connection that takes what the test lets it take.
struct client_side : http_response {
  void watch(std::function<void(response_signal)> watcher) override { tell = std::move(watcher); }
  void send(uint16_t, const headers&, std::string) override {}
  void start(uint16_t, const headers&) override { started = true; }
  bool write(std::string_view bytes) override {
    text += bytes;
    return takes_more;
  }
  void finish() override { finished = true; }
  void reset() override {}

  size_t count(std::string_view what) const {
    size_t found = 0;
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1))
      ++found;
    return found;
  }

  std::function<void(response_signal)> tell;
  std::string text;
  bool takes_more = true;
  bool started = false;
  bool finished = false;
};

/// A hub that remembers its watchers, and one stream.
struct stream_fixture : test::deterministic {
  stream_fixture() {
    open_streams =
        sys.spawn([](caf::event_based_actor*) -> caf::behavior { return {[](atom::done) {}}; });
    start_hub();
    const engine_config settings;
    const http_services services{open_streams, {}};
    http_call call{sys, settings, services, {}, {}, {}, client};
    call.who.meter = meter;
    spawn_mcp_event_stream(call, true);
    run();
  }
  ~stream_fixture() {
    client->tell(response_signal::gone);
    run();
    end(open_streams);
    end(hub);
    sys.registry().erase(mcp_hub_name);
  }

  void start_hub() {
    hub = sys.spawn([this](caf::event_based_actor* me) -> caf::behavior {
      return {[this, me](const watch_mcp& watch) {
        watcher = caf::actor_cast<mcp_subscriber_actor>(me->current_sender());
        watches += watch.answers ? 1 : 0;
      }};
    });
    sys.registry().put(mcp_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
  }

  void end(const caf::actor& which) {
    caf::anon_send_exit(which, caf::exit_reason::kill);
    run();
  }

  void happens(int count, const std::string& data = R"({"n":1})") {
    for (int i = 0; i < count; ++i)
      caf::anon_send(watcher, mcp_event{"log", "s", {data}});
    run();
  }

  std::shared_ptr<key_meter> meter = std::make_shared<key_meter>(0); ///< of the client's key
  std::shared_ptr<client_side> client = std::make_shared<client_side>();
  caf::actor open_streams;
  caf::actor hub;
  mcp_subscriber_actor watcher;
  int watches = 0;
};

} // namespace

TEST_CASE_METHOD(stream_fixture, "events begin with a comment at once", "[apps][mcp]") {
  CHECK(client->started);
  CHECK(client->text.starts_with(": "));
  CHECK(watches == 1);
  happens(1);
  CHECK(client->text.ends_with("event: log\ndata: {\"n\":1}\n\n"));
}

TEST_CASE_METHOD(stream_fixture, "a silent event stream shows a sign of life", "[apps][mcp]") {
  advance(15s);
  advance(15s);
  CHECK(client->count(": keep-alive\n\n") == 2);
}

TEST_CASE_METHOD(stream_fixture, "for a slow client at most a megabyte of events is kept",
                 "[apps][mcp]") {
  client->takes_more = false;
  happens(1); // fills the connection
  happens(20, '"' + std::string(100'000, 'x') + '"');
  client->takes_more = true;
  client->tell(response_signal::drained);
  run();
  CHECK(client->count("event: log") == 11);
  CHECK(client->text.ends_with("event: lagged\ndata: {\"dropped\":10}\n\n"));
}

TEST_CASE_METHOD(stream_fixture, "a slow client gets 1000 events and the number of the others",
                 "[apps][mcp]") {
  client->takes_more = false;
  happens(1); // fills the connection
  happens(1005);
  CHECK(client->count("event: log") == 1);
  client->takes_more = true;
  client->tell(response_signal::drained);
  run();
  CHECK(client->count("event: log") == 1001);
  CHECK(client->text.ends_with("event: lagged\ndata: {\"dropped\":5}\n\n"));
  happens(1);
  CHECK(client->count("event: log") == 1002);
  CHECK(client->count("event: lagged") == 1);
}

TEST_CASE_METHOD(stream_fixture, "a client that takes a little gets its events in order",
                 "[apps][mcp]") {
  client->takes_more = false;
  happens(3);
  client->tell(response_signal::drained);
  run();
  CHECK(client->count("event: log") == 2);
  advance(15s);
  CHECK(client->count("keep-alive") == 0);
}

TEST_CASE_METHOD(stream_fixture, "an event stream watches a hub that was restarted, too",
                 "[apps][mcp]") {
  end(hub); // which is still registered
  sys.registry().erase(mcp_hub_name);
  advance(1s);
  start_hub();
  advance(1s);
  CHECK(watches == 2);
  happens(1);
  CHECK(client->count("event: log") == 1);
}

TEST_CASE_METHOD(stream_fixture, "event streams end in order when the engine says so",
                 "[apps][mcp]") {
  end(open_streams);
  CHECK(client->finished);
}

TEST_CASE_METHOD(stream_fixture, "a client that left is no watcher any more", "[apps][mcp]") {
  caf::actor_addr gone = watcher.address();
  client->tell(response_signal::gone);
  run();
  self->monitor(watcher);
  self->receive([&](const caf::down_msg& msg) { CHECK(msg.source == gone); },
                caf::after(0s) >> [] { FAIL("it is still there"); });
}

TEST_CASE_METHOD(stream_fixture, "an event stream whose key was revoked ends before its next event",
                 "[apps][mcp]") {
  const auto slow = GENERATE(false, true);
  client->takes_more = !slow;
  happens(2);
  meter->revoke();
  if (slow)
    client->tell(response_signal::drained);
  happens(1);
  CHECK(client->count("event: log") == (slow ? 1 : 2));
  CHECK(client->finished);
}

} // namespace mcp_event_stream_test
