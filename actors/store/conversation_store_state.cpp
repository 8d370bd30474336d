#include "actors/store/conversation_store_state.hpp"

#include <algorithm>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

// -- conversation loader --------------------------------------------------------------------------

namespace {

/// Most chats that are read at once; others wait. Each has a connection and what was read of it.
constexpr size_t most_readings = 8;

/// A chat that is read, and who waits for it.
struct chat_on_its_way {
  load_chat ask;
  caf::typed_response_promise<chat_record> promise;
  std::unique_ptr<chat_reading> work; ///< nullptr: it has not begun
};

struct conversation_loader_state {
  static inline const char* name = "troupe.conversation_loader";

  explicit conversation_loader_state(conversation_loader_actor::pointer ptr) : self{ptr} {}

  caf::result<chat_record> on_load(load_chat& ask) {
    auto promise = self->make_response_promise<chat_record>();
    chat_on_its_way chat{std::move(ask), promise, nullptr};
    if (reading.size() >= most_readings)
      waiting.push_back(std::move(chat));
    else
      take_up(std::move(chat));
    return promise;
  }

  /// Reads the first piece at once: most chats have no other.
  void take_up(chat_on_its_way chat) {
    if (do_piece(chat))
      return;
    reading.push_back(std::move(chat));
    if (reading.size() == 1)
      self->send(self, atom::piece_v);
  }

  /// The chat that had its piece goes after the others, and new ones come first.
  void on_piece() {
    if (reading.empty())
      return;
    auto chat = std::move(reading.front());
    reading.pop_front();
    if (!do_piece(chat))
      reading.push_back(std::move(chat));
    while (!waiting.empty() && reading.size() < most_readings) {
      auto next = std::move(waiting.front());
      waiting.pop_front();
      if (!do_piece(next))
        reading.push_back(std::move(next));
    }
    if (!reading.empty())
      self->send(self, atom::piece_v);
  }

  /// Returns whether the chat was answered.
  bool do_piece(chat_on_its_way& chat) {
    chat_record out;
    if (!chat.work)
      chat.work = port->read_chat(chat.ask, out.error);
    if (chat.work && chat.work->step(out))
      return false;
    chat.work.reset();
    out.session_id = chat.ask.session_id;
    out.number = chat.ask.number;
    chat.promise.deliver(std::move(out));
    return true;
  }

  conversation_loader_actor::pointer self;
  store_port* port = nullptr;
  std::deque<chat_on_its_way> reading; ///< have begun; take turns
  std::deque<chat_on_its_way> waiting;
};

conversation_loader_actor::behavior_type
conversation_loader(conversation_loader_actor::stateful_pointer<conversation_loader_state> self,
                    store_port* port) {
  auto& state = self->state;
  quiet(self);
  state.port = port;
  return {
      [&state](load_chat& ask) { return state.on_load(ask); },
      [&state](atom::piece) { state.on_piece(); },
  };
}

} // namespace

conversation_loader_actor spawn_conversation_loader(caf::local_actor& parent, store_port& port,
                                                    bool detached) {
  if (detached)
    return parent.spawn<caf::linked + caf::detached>(conversation_loader, &port);
  return parent.spawn<caf::linked>(conversation_loader, &port);
}

// -- conversation store state ---------------------------------------------------------------------

namespace {

/// The shortest time over which writes are counted.
constexpr std::chrono::milliseconds long_enough{4};

/// Writes count as crowded when the average distance between two is not longer than this.
constexpr std::chrono::microseconds close{100};

} // namespace

std::chrono::microseconds commit_delay::after_first(time_point now, uint64_t writes,
                                                    uint64_t running_turns) {
  if (const auto window = now - counted_; window >= long_enough) {
    const auto came = writes - std::exchange(counted_writes_, writes);
    crowded_ = static_cast<int64_t>(came) * close >= window;
    counted_ = now;
  }
  if (behind_)
    return std::chrono::microseconds{0};
  if (crowded_)
    return last_size_ > 1 ? when_crowded : std::chrono::microseconds{0};
  if (running_turns < many_turns)
    return std::chrono::microseconds{0};
  const auto longest_turns = static_cast<uint64_t>(longest / for_each_turn);
  return for_each_turn * static_cast<int64_t>(std::min(running_turns, longest_turns));
}

} // namespace troupe
