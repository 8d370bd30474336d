#include "apps/troupe/chat/chat_state.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/engine/keys.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/folder_owner.hpp"
#include "apps/troupe/signals.hpp"
#include "messages/json.hpp"

namespace troupe {

// -- chat client ----------------------------------------------------------------------------------

namespace {

std::string text_part(std::string_view text) {
  return R"({"type":"text","text":)" + to_json(std::string{text}) + '}';
}

std::string file_part(const attached_file& file) {
  if (file.media_type.starts_with("image/"))
    return R"({"type":"image_url","image_url":{"url":)" + to_json(file.url) + "}}";
  return fmt::format(R"({{"type":"file","file":{{"filename":{},"file_data":{}}}}})",
                     to_json(file.name), to_json(file.url));
}

std::string content_of(const turn_input& input) {
  if (input.files.empty())
    return to_json(input.text);
  std::string parts;
  for (const auto& each : input.files)
    parts += file_part(each) + ',';
  return '[' + parts + text_part(input.text) + ']';
}

std::string body_of(const turn_input& input) {
  std::string body = R"({"messages":[{"role":"user","content":)" + content_of(input) + "}]";
  if (input.system)
    body += R"(,"systemPrompt":)" + to_json(*input.system);
  if (!input.model.empty())
    body += R"(,"model":)" + to_json(input.model);
  if (input.answers)
    body += R"(,"clientRequests":true)";
  return body + '}';
}

} // namespace

chat_client::chat_client(server_client& server, std::string id) : server_{server} {
  use(std::move(id));
}

void chat_client::use(std::string id) {
  id_ = std::move(id);
  session_ = "/v1/sessions/" + path_segment(id_);
  conversation_ = "/v1/conversations/" + path_segment(id_);
}

std::unique_ptr<http_exchange> chat_client::begin_turn(const turn_input& input,
                                                       server_client::event_visitor visit,
                                                       server_client::end_visitor ended) {
  return server_.begin("POST", session_ + "/turns", body_of(input), std::move(visit),
                       std::move(ended));
}

server_answer chat_client::approve(std::string_view approval_id, bool approved) {
  return server_.send("POST", session_ + "/approvals",
                      fmt::format(R"({{"approvals":[{{"approvalId":{},"approved":{}}}]}})",
                                  to_json(std::string{approval_id}), approved));
}

server_answer chat_client::latest(int limit) {
  return server_.send("GET", fmt::format("/v1/conversations?limit={}", limit));
}

// -- chat host ------------------------------------------------------------------------------------

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

// -- chat state -----------------------------------------------------------------------------------

void chat_signals::begin() {
  on_signals([self = shared_from_this()](int signal) { self->handle(signal); });
}

void chat_signals::turn(std::function<void()> stop, hidden_typing* typing) {
  std::lock_guard guard{mutex_};
  stop_ = std::move(stop);
  typing_ = typing;
  stopping_ = false;
}

void chat_signals::end_turn() {
  std::lock_guard guard{mutex_};
  stop_ = nullptr;
  if (auto* typing = std::exchange(typing_, nullptr))
    typing->show(); // before a signal can end the process without it
}

void chat_signals::prompt(line_editor& editor) {
  std::lock_guard guard{mutex_};
  editor_ = &editor;
}

void chat_signals::end_prompt() {
  std::lock_guard guard{mutex_};
  editor_ = nullptr;
}

void chat_signals::handle(int signal) {
  if (signal == SIGHUP)
    ignore_hangups();
  std::lock_guard guard{mutex_};
  if (signal != SIGINT)
    ending_ = true;
  if (editor_ != nullptr)
    return editor_->wake(signal == SIGINT ? input_wake::interrupt : input_wake::end);
  if (stop_ && !stopping_.exchange(true))
    return stop_();
  if (typing_ != nullptr)
    typing_->show();
  _exit(exit_aborted);
}

} // namespace troupe
