#include "apps/troupe/chat/chat_host.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/keys.hpp"
#include "apps/troupe/folder_owner.hpp"

namespace troupe {

namespace {

/// A file travels as a part of the request; there is nobody here to be protected from it.
constexpr size_t least_body_bytes = size_t{64} << 20;

/// Makes an engine that keeps chats if it can.
std::unique_ptr<engine> make_engine(engine_config& config) {
  try {
    return std::make_unique<engine>(config);
  } catch (const start_error& what) {
    if (what.why().code != errc::store_locked && what.why().code != errc::store_read_only)
      throw;
    fmt::print(stderr, "troupe: {}\nThis chat is not kept.\n", what.what());
    if (what.why().code == errc::store_locked)
      fmt::print(stderr, "With --server URL it goes to the server that uses the folder.\n");
  }
  config.store = {};
  return std::make_unique<engine>(config);
}

} // namespace

failure chat_host::prepare(const engine_options& options, bool quiet, engine_config& out) {
  if (auto bad = options.load(out))
    return bad;
  engine_options::print_notes(out);
  std::string told;
  if (auto bad = become_owner_of(out, told))
    return bad;
  if (!told.empty() && !quiet)
    fmt::print(stderr, "troupe: {}\n", told);
  out.shards = 1;
  out.page = false;
  out.limits.server.max_body_bytes = std::max(out.limits.server.max_body_bytes, least_body_bytes);
  if (out.models.empty() && !quiet)
    fmt::print(stderr, "No model is configured: a scripted model answers.\n");
  return {};
}

std::unique_ptr<chat_host> chat_host::start(engine_config config, failure& why) {
  std::unique_ptr<chat_host> made{new chat_host}; // its constructor is not for others
  why = made->run(std::move(config));
  return why ? nullptr : std::move(made);
}

failure chat_host::run(engine_config config) {
  std::string key;
  if (auto bad = grant_own_key(config, key, ""))
    return bad;
  const auto was_to_keep = config.store.keeps();
  auto made = make_engine(config);
  keeps_ = config.store.keeps();
  lacks_folder_ = was_to_keep && !keeps_;
  return server_.start(std::move(made), config, std::move(key));
}

std::unique_ptr<chat_host> chat_host::at(const std::string& url) {
  std::unique_ptr<chat_host> made{new chat_host};
  made->server_.use(url);
  return made;
}

} // namespace troupe
