#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/engine.hpp"
#include "apps/troupe/chat/chat_backend.hpp"
#include "messages/wire/clients/native_stream.hpp"

namespace troupe {

namespace {

/// How long MCP servers may take to connect before the first turn goes on without them.
constexpr std::chrono::seconds connect_limit{10};

class local final : public chat_backend {
public:
  local(engine_config config, std::string session_id)
      : engine_(std::move(config)), session_id_(std::move(session_id)) {
    engine_.wait_for_servers(connect_limit);
  }

  failure run(const std::string& prompt, const event_printer& print) override {
    turn_request request;
    request.session_id = session_id_;
    request.messages.push_back({role::user, prompt, {}, {}, {}});
    for (const auto& batch : engine_.stream(std::move(request)))
      for (size_t i = 0; i < batch.events.size(); ++i) {
        json_buffer json;
        append_event_json(json, batch, i);
        print(view(json));
      }
    return {};
  }

  void abort() override { engine_.abort(session_id_); }

private:
  engine engine_;
  std::string session_id_;
};

} // namespace

std::unique_ptr<chat_backend> local_backend(engine_config config, std::string session_id) {
  try {
    return std::make_unique<local>(config, session_id);
  } catch (const start_error& what) {
    if (what.why().code != errc::store_locked && what.why().code != errc::store_read_only)
      throw;
    fmt::print(stderr, "troupe: {}\nThis chat is not kept.\n", what.what());
  }
  config.store.folder.clear();
  return std::make_unique<local>(std::move(config), std::move(session_id));
}

} // namespace troupe
