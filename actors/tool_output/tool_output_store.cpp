#include "actors/tool_output/tool_output_store.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/tool_output/tool_output_folder.hpp"

namespace troupe {

namespace {

struct tool_output_store_state {
  static inline const char* name = "troupe.tool_output_store";

  std::string on_text(const std::string& call_id, const std::string& text) {
    self->mailbox().fetch_more();
    if (self->mailbox().size() > max_waiting)
      return {}; // the disk is too slow, and waiting texts are held in memory
    return folder->write(call_id, text);
  }

  tool_output_store_actor::pointer self = nullptr;
  std::unique_ptr<tool_output_folder> folder;
  size_t max_waiting = 0;
};

tool_output_store_actor::behavior_type
tool_output_store(tool_output_store_actor::stateful_pointer<tool_output_store_state> self,
                  const tool_output_config& config) {
  auto& state = self->state;
  quiet(self);
  state.self = self;
  state.folder = std::make_unique<tool_output_folder>(config.folder, config.max_bytes);
  state.max_waiting = config.max_waiting;
  return {
      [&state](const std::string& call_id, const std::string& text) {
        return state.on_text(call_id, text);
      },
  };
}

} // namespace

tool_output_store_actor spawn_tool_output_store(caf::local_actor& parent,
                                                tool_output_config config) {
  return parent.spawn<caf::linked + caf::detached>(tool_output_store, std::move(config));
}

} // namespace troupe
