#include "transport/http_client/http_client_shard.hpp"

#include <memory>
#include <vector>

#include <curl/curl.h>

#include "tests/support/catch.hpp"
#include "transport/http_client/http_client_buffers.hpp"
#include "transport/loop/loop.hpp"

namespace http_client_lanes_test {

using namespace troupe;

namespace {

/// Exchanges that nobody runs.
class idle_exchanges {
public:
  explicit idle_exchanges(http_client_lanes& into) : lanes_{into} {}
  ~idle_exchanges() {
    while (!open_.empty())
      end(open_.size() - 1);
  }
  idle_exchanges(const idle_exchanges&) = delete;
  idle_exchanges& operator=(const idle_exchanges&) = delete;

  /// Opens one and returns the index of its lane.
  size_t open(bool secure = false) {
    auto& lane = lanes_.with_room(secure);
    open_.push_back({curl_easy_init(), &lane});
    REQUIRE(lane.add(open_.back().easy).empty());
    return lane.where().index;
  }

  void end(size_t which) {
    lanes_.remove(*open_[which].lane, open_[which].easy);
    curl_easy_cleanup(open_[which].easy);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
  }

private:
  struct exchange {
    CURL* easy;
    http_client_lane* lane;
  };
  http_client_lanes& lanes_;
  std::vector<exchange> open_;
};

} // namespace

TEST_CASE("a lane takes a bounded number of exchanges, and the first with room the next",
          "[transport][http_client]") {
  loop on{0};
  on.call([&] {
    http_client_lanes lanes{on};
    {
      idle_exchanges exchanges{lanes};
      for (size_t i = 0; i < 130; ++i)
        REQUIRE(exchanges.open() == i / 64);
      exchanges.end(70); // of the second lane
      exchanges.end(3);  // of the first
      CHECK(exchanges.open() == 0);
      CHECK(exchanges.open() == 1);
      CHECK(exchanges.open() == 2);
    }
    lanes.clear();
  });
}

TEST_CASE("exchanges with TLS have lanes of their own, which take more",
          "[transport][http_client]") {
  loop on{0};
  on.call([&] {
    http_client_lanes lanes{on};
    CHECK(&lanes.with_room(true) != &lanes.with_room(false));
    CHECK(lanes.with_room(true).where().room > lanes.with_room(false).where().room);
  });
}

TEST_CASE("lanes beyond the first four close when they are empty, unless they are the next to be "
          "used",
          "[transport][http_client]") {
  loop on{0};
  on.call([&] {
    http_client_lanes lanes{on};
    std::vector<http_client_lane*> due;
    const auto run = [&] {
      due.clear();
      lanes.take_due(due);
      for (auto* lane : due)
        lane->run();
    };
    {
      idle_exchanges exchanges{lanes};
      for (size_t i = 0; i < 4 * 64; ++i)
        exchanges.open();
      CHECK(exchanges.open() == 4);
      run();
      exchanges.end(4 * 64);
      run();
      REQUIRE(due.size() == 1);
      lanes.tidy(*due.front());
      CHECK(&lanes.with_room(false) == due.front()); // with its connection
      CHECK(lanes.count() == 5);
      CHECK(exchanges.open() == 4);
      run();
      exchanges.end(3);
      exchanges.end(4 * 64 - 1);
      run();
      REQUIRE(due.size() == 1);
      lanes.tidy(*due.front());
      CHECK(lanes.count() == 4);
    }
    lanes.clear();
  });
}

TEST_CASE("a lane that nobody uses from one look to the next closes", "[transport][http_client]") {
  loop on{0};
  on.call([&] {
    http_client_lanes lanes{on};
    {
      idle_exchanges exchanges{lanes};
      for (size_t i = 0; i < 64; ++i)
        exchanges.open();
      exchanges.open();
      exchanges.end(64);
      lanes.close_unused(); // both were used before
      CHECK(lanes.count() == 2);
      lanes.close_unused();
      CHECK(lanes.count() == 1);
      CHECK(exchanges.open() == 1);
      lanes.close_unused();
      lanes.close_unused();
      CHECK(lanes.count() == 2); // neither is empty
    }
    lanes.close_unused();
    lanes.close_unused();
    CHECK(lanes.count() == 0);
    CHECK(lanes.with_room(false).where().index == 0);
    lanes.clear();
  });
}

TEST_CASE("the receive buffer follows how the last answers from the same URL came",
          "[transport][http_client]") {
  http_client_buffers buffers;
  const auto small = buffers.size_for("http://a/");
  buffers.learn("http://a/", true);
  CHECK(buffers.size_for("http://a/") > small);
  CHECK(buffers.size_for("http://b/") == small);
  for (int i = 0; i < 7; ++i)
    buffers.learn("http://a/", false);
  CHECK(buffers.size_for("http://a/") > small);
  buffers.learn("http://a/", true);
  for (int i = 0; i < 8; ++i) {
    CHECK(buffers.size_for("http://a/") > small);
    buffers.learn("http://a/", false);
  }
  CHECK(buffers.size_for("http://a/") == small);
}

} // namespace http_client_lanes_test
