// A chat whose turns more than one client looks at.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tests/actors/session/chat.hpp"

namespace troupe::test {

/// A chat whose turns others look at.
struct watched_chat : chat {
  using got = std::shared_ptr<received>;

  static turn_request resumable(const std::string& text) {
    auto made = request(text);
    made.options.resumable = true;
    return made;
  }

  got view(watch_turn what, bool wants_more = true) {
    auto into = std::make_shared<received>();
    into->wants_more = wants_more;
    what.session_id = "s";
    spawn_viewer(sys, std::move(what), std::make_unique<recording_sink>(into));
    run();
    return into;
  }
  got view() { return view(watch_turn{}); }
  got view_ended(uint64_t after = 0, const std::string& turn_id = "") {
    return view({"s", turn_id, after, true, 0});
  }

  got open_turn(turn_request what) {
    auto into = send(std::move(what));
    run();
    http.calls.back()->head(200, "text/event-stream");
    return into;
  }

  /// The model says these numbers, not faster than a client that reads takes them.
  void say(int from, int to) {
    for (int i = from; i < to; ++i) {
      http.calls.back()->bytes("data: " + text_chunk(std::to_string(i)) + "\n\n");
      if (i % 100 == 99)
        run();
    }
    run();
  }
  void finish() {
    http.calls.back()->bytes("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                             "data: [DONE]\n\n");
    run();
  }

  static std::string text_of(const got& one) {
    std::string out;
    for (const auto& each : one->events)
      if (const auto* piece = std::get_if<text_delta>(&each))
        out += piece->text;
    return out;
  }

  /// Both have seen the same, event for event.
  static void check_same(const got& one, const got& other) {
    CHECK(one->numbers == other->numbers);
    CHECK(one->names() == other->names());
    CHECK(text_of(one) == text_of(other));
  }

  void leave(const got& one) {
    one->signal(response_signal::gone);
    run();
  }
};

} // namespace troupe::test
