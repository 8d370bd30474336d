#include "actors/files/file_store.hpp"

#include <chrono>
#include <map>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/files/file_upload.hpp"
#include "actors/files/folder_shelf.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/wire/data_url.hpp"

namespace troupe {

namespace {

constexpr std::chrono::minutes sweep_pause{10};
constexpr std::chrono::seconds verify_limit{30};
constexpr size_t max_uploads = 256; ///< at once, of all owners

int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// An upload, and what its owner kept when it began.
struct running_upload {
  std::unique_ptr<file_upload> body;
  uint64_t held = 0; ///< bytes
};

struct file_store_state {
  static inline const char* name = "troupe.file_store";

  void start(file_store_config config);
  file_store_actor::behavior_type make_behavior();

  // -- uploads
  void on_begin(const begin_file& ask);
  void on_bytes(const file_bytes& more);
  file_answer on_end(const end_file& end);
  failure keep(file_upload& upload);
  uint64_t uploading(std::string_view owner) const;

  // -- questions
  file_answer on_file(const file_request& ask);
  file_piece on_piece(const read_file_piece& ask);

  // -- chats
  file_contents on_chat(const read_chat_files& ask);
  void on_news(const chat_files_news& news);
  void on_tick();
  void verify_chats();
  void on_found(const std::string& chat, const conversation_answer& found);

  file_store_actor::pointer self = nullptr;
  file_limits limits;
  std::unique_ptr<file_shelf> shelf;
  std::map<std::string, running_upload, std::less<>> uploads;
  bool asking = false; ///< whether a chat is there
};

void file_store_state::start(file_store_config config) {
  limits = config.limits;
  if (config.open)
    shelf = config.open();
  else
    shelf = std::make_unique<folder_shelf>(std::move(config.folder), limits);
  on_tick();
}

file_store_actor::behavior_type file_store_state::make_behavior() {
  return {
      [this](const begin_file& ask) { on_begin(ask); },
      [this](const file_bytes& more) { on_bytes(more); },
      [this](const end_file& end) { return on_end(end); },
      [this](const file_request& ask) { return on_file(ask); },
      [this](const list_files& ask) { return shelf->list(ask); },
      [this](const read_file_piece& ask) { return on_piece(ask); },
      [this](const read_chat_files& ask) { return on_chat(ask); },
      [this](const chat_files_news& news) { on_news(news); },
      [this](atom::tick) { on_tick(); },
  };
}

// -- uploads --------------------------------------------------------------------------------------

void file_store_state::on_begin(const begin_file& ask) {
  running_upload made;
  made.body = std::make_unique<file_upload>(*shelf, ask, limits);
  if (uploads.size() >= max_uploads)
    made.body->fail({errc::rate_limited, "Too many files are being uploaded; try again shortly."});
  auto bad = shelf->held(ask.owner, made.held);
  if (!bad)
    bad = file_quota_fault(limits, made.held, uploading(ask.owner) + ask.announced);
  if (bad)
    made.body->fail(std::move(bad));
  uploads.insert_or_assign(ask.upload, std::move(made));
}

/// Returns how many bytes the uploads of an owner have brought so far.
uint64_t file_store_state::uploading(std::string_view owner) const {
  uint64_t sum = 0;
  for (const auto& [key, each] : uploads)
    if (each.body->file().owner == owner && !each.body->error())
      sum += each.body->file().bytes;
  return sum;
}

void file_store_state::on_bytes(const file_bytes& more) {
  const auto found = uploads.find(more.upload);
  if (found == uploads.end())
    return;
  auto& upload = *found->second.body;
  upload.feed(more.bytes);
  if (auto bad = file_quota_fault(limits, found->second.held, uploading(upload.file().owner)))
    upload.fail(std::move(bad));
  auto& flow = *upload.flow();
  const auto before = flow.waiting.fetch_sub(more.bytes.size());
  if (before >= flow.high_water && before - more.bytes.size() < flow.high_water && flow.go_on)
    flow.go_on();
}

file_answer file_store_state::on_end(const end_file& end) {
  auto found = uploads.extract(end.upload);
  if (found.empty())
    return {{errc::store_failed, "The store of files was restarted; upload the file again."}, {}};
  auto& upload = *found.mapped().body;
  if (end.dropped)
    return {};
  auto bad = upload.end(seconds_now());
  if (!bad)
    bad = keep(upload);
  if (bad)
    return {std::move(bad), {}};
  file_answer out;
  out.error = shelf->find(upload.file().owner, upload.file().id, out.file);
  return out;
}

failure file_store_state::keep(file_upload& upload) {
  auto file = upload.file();
  uint64_t held = 0;
  auto bad = shelf->held(file.owner, held);
  if (!bad)
    bad = file_quota_fault(limits, held, file.bytes);
  if (bad)
    return bad;
  const auto most = std::chrono::duration_cast<std::chrono::seconds>(limits.lifetime).count();
  const auto wanted = upload.wanted_lifetime();
  const auto lifetime = wanted > 0 && (most == 0 || wanted < most) ? wanted : most;
  file.expires_at = lifetime > 0 ? file.created_at + lifetime : 0;
  bad = shelf->keep(file);
  if (!bad)
    upload.keep();
  return bad;
}

// -- questions ------------------------------------------------------------------------------------

file_answer file_store_state::on_file(const file_request& ask) {
  file_answer out;
  out.error = shelf->find(ask.owner, ask.id, out.file);
  if (!out.error && ask.removes)
    out.error = shelf->remove(ask.id);
  return out;
}

file_piece file_store_state::on_piece(const read_file_piece& ask) {
  file_piece out;
  out.error = shelf->find(ask.owner, ask.id, out.file);
  if (!out.error)
    out.error = shelf->read(ask.id, ask.offset, ask.most, out.bytes);
  return out;
}

// -- chats ----------------------------------------------------------------------------------------

/// A file of an older message may be gone; one of the new message must be there.
file_contents file_store_state::on_chat(const read_chat_files& ask) {
  file_contents out;
  auto left = max_turn_file_bytes;
  for (size_t i = ask.ids.size(); i-- > 0;) {
    const auto& id = ask.ids[i];
    const bool wanted = ask.ids.size() - i <= ask.wanted;
    stored_file file;
    std::string bytes;
    auto bad = shelf->find(std::string{owner_of(ask.chat)}, id, file);
    if (bad && bad.code != errc::file_unknown)
      return {std::move(bad), {}};
    if (!bad && file.bytes > left)
      bad = {errc::request_too_large,
             fmt::format("The files of this message have more than {} bytes together; send fewer.",
                         max_turn_file_bytes)};
    if (!bad)
      bad = shelf->read(id, 0, file.bytes, bytes);
    if (bad && wanted)
      return {std::move(bad), {}};
    if (bad)
      continue;
    left -= file.bytes;
    out.files.push_back(
        {id, file.media_type, file.filename, make_data_url(file.media_type, bytes)});
    if (ask.kept)
      shelf->use(id, ask.chat);
  }
  return out;
}

/// The files that a chat names may be gone, or another owner's.
void file_store_state::on_news(const chat_files_news& news) {
  const std::string owner{owner_of(news.chat)};
  for (const auto& id : news.named)
    if (stored_file file; !shelf->find(owner, id, file))
      shelf->use(id, news.chat);
  if (!news.copy.empty())
    shelf->copy_chat(news.chat, news.copy);
  else if (news.named.empty())
    shelf->forget_chat(news.chat);
}

void file_store_state::on_tick() {
  if (shelf->sweep(seconds_now())) // what waits here comes in between
    self->send(self, atom::tick_v);
  else
    self->delayed_send(self, sweep_pause, atom::tick_v);
  verify_chats();
}

/// Asks one after the other: who reads conversations has others to answer, too.
void file_store_state::verify_chats() {
  auto reader = whereis<conversation_reader_actor>(self->system(), conversation_reader_name);
  if (asking || !reader)
    return;
  auto chat = shelf->unverified_chat(seconds_now());
  if (chat.empty())
    return;
  asking = true;
  self->request(reader, verify_limit, get_conversation{chat, 0})
      .then([this, chat](const conversation_answer& found) { on_found(chat, found); },
            [this](const caf::error&) { asking = false; });
}

/// A chat that cannot be read counts as there. After a failure the next tick continues.
void file_store_state::on_found(const std::string& chat, const conversation_answer& found) {
  asking = false;
  const bool is_gone = found.error.code == errc::conversation_unknown;
  shelf->on_verified(chat, !is_gone, seconds_now());
  if (is_gone || found.found.info.version != 0)
    verify_chats();
}

file_store_actor::behavior_type
file_store(file_store_actor::stateful_pointer<file_store_state> self, file_store_config config) {
  auto& state = self->state;
  quiet(self);
  state.self = self;
  state.start(std::move(config));
  return state.make_behavior();
}

} // namespace

file_store_actor spawn_file_store(caf::local_actor& parent, file_store_config config) {
  return parent.spawn<caf::linked + caf::detached>(file_store, std::move(config));
}

} // namespace troupe
