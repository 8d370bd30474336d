#include "actors/model/model_limiter.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

namespace {

struct model_limiter_state {
  static inline const char* name = "troupe.model_limiter";

  /// The slots of one model.
  struct model_room {
    uint32_t slots = 0;
    std::set<caf::actor_addr> holders;
    std::deque<model_stream_actor> waiting;
  };

  explicit model_limiter_state(model_limiter_actor::pointer ptr) : self{ptr} {}

  model_limiter_actor::behavior_type make_behavior() {
    return {
        [this](const acquire_slot& want) { on_want(want); },
        [this](const release_slot& leaving) { on_free(leaving); },
    };
  }

  void on_want(const acquire_slot& want) {
    auto who = caf::actor_cast<model_stream_actor>(self->current_sender());
    auto& room = rooms[want.model];
    room.slots = want.slots;
    if (room.holders.size() >= here(room.slots) && room.waiting.size() >= want.waiting)
      return self->send(who, slot_answer{want.model, false});
    self->monitor(who);
    room.waiting.push_back(std::move(who));
    give(want.model, room);
  }

  void on_free(const release_slot& leaving) {
    auto found = rooms.find(leaving.model);
    auto who = caf::actor_cast<caf::actor_addr>(self->current_sender());
    if (found == rooms.end() || !leave(found->second, who))
      return;
    self->demonitor(who);
    give(found->first, found->second);
  }

  /// An actor that died may have been in several rooms, when it did not say that it left.
  void on_down(const caf::actor_addr& who) {
    for (auto& [model, room] : rooms)
      if (leave(room, who))
        give(model, room);
  }

  static bool leave(model_room& from, const caf::actor_addr& who) {
    if (from.holders.erase(who) > 0)
      return true;
    return std::erase_if(from.waiting, [&](const auto& one) { return one.address() == who; }) > 0;
  }

  /// Returns how many of a model's slots this node has. More after another node is gone: then the
  /// next answer that ends lets several in.
  size_t here(uint32_t slots) const {
    const size_t living = nodes ? nodes->living() : 1;
    return (slots + living - 1) / living;
  }

  void give(const std::string& model, model_room& room) {
    while (room.holders.size() < here(room.slots) && !room.waiting.empty()) {
      auto next = std::move(room.waiting.front());
      room.waiting.pop_front();
      room.holders.insert(next.address());
      self->send(next, slot_answer{model, true});
    }
  }

  model_limiter_actor::pointer self;
  std::shared_ptr<const cluster_counts> nodes; ///< nullptr: this one has all
  std::map<std::string, model_room> rooms;     ///< by model; one for each that ever had a limit
};

model_limiter_actor::behavior_type
model_limiter(model_limiter_actor::stateful_pointer<model_limiter_state> self,
              std::shared_ptr<const cluster_counts> nodes) {
  quiet(self);
  self->state.nodes = std::move(nodes);
  self->set_down_handler([self](caf::down_msg& msg) { self->state.on_down(msg.source); });
  return self->state.make_behavior();
}

} // namespace

model_limiter_actor spawn_model_limiter(caf::local_actor& parent,
                                        std::shared_ptr<const cluster_counts> nodes) {
  return parent.spawn<caf::linked>(model_limiter, std::move(nodes));
}

} // namespace troupe
