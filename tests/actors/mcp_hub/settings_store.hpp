// A conversation_store that keeps settings, and whose answers the test holds back.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "tests/support/deterministic.hpp"

namespace troupe::test {

/// What it has, and how it answers.
struct kept_settings {
  std::map<std::string, std::string> values;
  failure fails;       ///< every request does
  bool silent = false; ///< requests are done, and answered by answer_held()
  size_t lists = 0;
  std::vector<setting> puts;
  std::vector<caf::typed_response_promise<failure>> held;
  std::vector<caf::typed_response_promise<setting_list>> held_lists;

  setting_list list(const std::string& prefix) const {
    setting_list out{fails, {}};
    for (const auto& [key, value] : values)
      if (!fails && key.starts_with(prefix))
        out.settings.push_back({key, value});
    return out;
  }

  failure put(const setting& what) {
    puts.push_back(what);
    if (!fails && what.value.empty())
      values.erase(what.key);
    else if (!fails)
      values[what.key] = what.value;
    return fails;
  }
};

/// Registers the store; whoever calls takes it out again.
inline conversation_store_actor start_settings_store(deterministic& world,
                                                     std::shared_ptr<kept_settings> kept) {
  using store = conversation_store_actor;
  auto made = world.sys.spawn([kept](store::pointer self) -> store::behavior_type {
    return {
        [](const load_chat&) {},
        [](const save_chat&) {},
        [](const change_conversation&) { return info_answer{}; },
        [kept, self](const list_settings& ask) -> caf::result<setting_list> {
          ++kept->lists;
          if (!kept->silent)
            return kept->list(ask.prefix);
          kept->held_lists.push_back(self->make_response_promise<setting_list>());
          return kept->held_lists.back();
        },
        [kept, self](const setting& what) -> caf::result<failure> {
          auto how = kept->put(what);
          if (!kept->silent)
            return how;
          kept->held.push_back(self->make_response_promise<failure>());
          return kept->held.back();
        },
        [](const api_key&) { return failure{}; },
        [](atom::status) { return store_status{}; },
        [](atom::drain) { return atom::done_v; },
        [](atom::commit) {},
        [](atom::piece) {},
        [](atom::look) {},
        [kept](atom::tick) { // a promise can be kept by its own actor only
          for (auto& each : std::exchange(kept->held_lists, {}))
            each.deliver(kept->list(std::string{}));
          for (auto& each : std::exchange(kept->held, {}))
            each.deliver(kept->fails);
        },
    };
  });
  world.sys.registry().put(conversation_store_name, caf::actor_cast<caf::strong_actor_ptr>(made));
  return made;
}

inline void answer_held(deterministic& world, const conversation_store_actor& store) {
  world.self->send(store, atom::tick_v);
  world.run();
}

} // namespace troupe::test
