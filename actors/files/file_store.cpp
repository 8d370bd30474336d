#include "actors/files/file_store.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/files/file_catalog.hpp"
#include "actors/files/file_folder.hpp"
#include "actors/files/file_upload.hpp"
#include "actors/quiet.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/wire/data_url.hpp"

namespace troupe {

namespace {

constexpr std::chrono::minutes sweep_pause{10};
constexpr size_t max_uploads = 256; ///< at once, of all owners

int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

failure unknown_file(std::string_view id) {
  return {errc::file_unknown,
          fmt::format("There is no file '{}'; it was deleted, has expired, or is another owner's. "
                      "Upload it again.",
                      id)};
}

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
  void describe(std::string_view id);
  void remove(const std::string& id);
  void on_tick();

  file_store_actor::pointer self = nullptr;
  std::unique_ptr<file_folder> folder;
  std::unique_ptr<file_catalog> catalog;
  std::map<std::string, std::unique_ptr<file_upload>, std::less<>> uploads;
};

void file_store_state::start(file_store_config config) {
  folder = std::make_unique<file_folder>(std::move(config.folder));
  catalog = std::make_unique<file_catalog>(config.limits);
  for (auto& each : folder->load())
    catalog->add(std::move(each));
  on_tick();
}

file_store_actor::behavior_type file_store_state::make_behavior() {
  return {
      [this](const begin_file& ask) { on_begin(ask); },
      [this](const file_bytes& more) { on_bytes(more); },
      [this](const end_file& end) { return on_end(end); },
      [this](const file_request& ask) { return on_file(ask); },
      [this](const list_files& ask) { return catalog->list(ask); },
      [this](const read_file_piece& ask) { return on_piece(ask); },
      [this](const read_chat_files& ask) { return on_chat(ask); },
      [this](const chat_files_news& news) { on_news(news); },
      [this](atom::tick) { on_tick(); },
  };
}

// -- uploads --------------------------------------------------------------------------------------

void file_store_state::on_begin(const begin_file& ask) {
  auto made = std::make_unique<file_upload>(*folder, ask, catalog->limits());
  if (uploads.size() >= max_uploads)
    made->fail({errc::rate_limited, "Too many files are being uploaded; try again shortly."});
  if (auto bad = catalog->quota_fault(ask.owner, uploading(ask.owner) + ask.announced))
    made->fail(std::move(bad));
  uploads.insert_or_assign(ask.upload, std::move(made));
}

/// Returns how many bytes the uploads of an owner have brought so far.
uint64_t file_store_state::uploading(std::string_view owner) const {
  uint64_t sum = 0;
  for (const auto& [key, each] : uploads)
    sum += each->file().owner == owner ? each->file().bytes : 0;
  return sum;
}

void file_store_state::on_bytes(const file_bytes& more) {
  const auto found = uploads.find(more.upload);
  if (found == uploads.end())
    return;
  auto& upload = *found->second;
  upload.feed(more.bytes);
  if (auto bad = catalog->quota_fault(upload.file().owner, uploading(upload.file().owner)))
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
  auto& upload = *found.mapped();
  if (end.dropped)
    return {};
  auto bad = upload.end(seconds_now());
  if (!bad)
    bad = keep(upload);
  if (bad)
    return {std::move(bad), {}};
  return {{}, *catalog->find(upload.file().owner, upload.file().id)};
}

failure file_store_state::keep(file_upload& upload) {
  auto file = upload.file();
  if (auto bad = catalog->quota_fault(file.owner, file.bytes))
    return bad;
  const auto most =
      std::chrono::duration_cast<std::chrono::seconds>(catalog->limits().lifetime).count();
  const auto wanted = upload.wanted_lifetime();
  const auto lifetime = wanted > 0 && (most == 0 || wanted < most) ? wanted : most;
  file.expires_at = lifetime > 0 ? file.created_at + lifetime : 0;
  if (auto bad = folder->describe(file))
    return bad;
  upload.keep();
  catalog->add(std::move(file));
  return {};
}

// -- questions ------------------------------------------------------------------------------------

file_answer file_store_state::on_file(const file_request& ask) {
  const auto* found = catalog->find(ask.owner, ask.id);
  if (found == nullptr)
    return {unknown_file(ask.id), {}};
  file_answer out{{}, *found};
  if (ask.removes)
    remove(ask.id);
  return out;
}

file_piece file_store_state::on_piece(const read_file_piece& ask) {
  const auto* found = catalog->find(ask.owner, ask.id);
  if (found == nullptr)
    return {unknown_file(ask.id), {}, {}};
  file_piece out{{}, *found, {}};
  out.error = folder->read(ask.id, ask.offset, ask.most, out.bytes);
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
    const auto* found = catalog->find(owner_of(ask.chat), id);
    std::string bytes;
    auto bad = found == nullptr ? unknown_file(id) : failure{};
    if (!bad && found->bytes > left)
      bad = {errc::request_too_large,
             fmt::format("The files of this message have more than {} bytes together; send fewer.",
                         max_turn_file_bytes)};
    if (!bad)
      bad = folder->read(id, 0, found->bytes, bytes);
    if (bad && wanted)
      return {std::move(bad), {}};
    if (bad)
      continue;
    left -= found->bytes;
    out.files.push_back(
        {id, found->media_type, found->filename, make_data_url(found->media_type, bytes)});
    if (ask.kept && catalog->use(id, ask.chat))
      describe(id);
  }
  return out;
}

void file_store_state::on_news(const chat_files_news& news) {
  if (!news.copy.empty()) {
    for (const auto& id : catalog->copy_chat(news.chat, news.copy))
      describe(id);
    return;
  }
  const auto freed = catalog->forget_chat(news.chat);
  for (const auto& id : freed.unused)
    remove(id);
  for (const auto& id : freed.changed)
    describe(id);
}

/// What cannot be written is said again with the next change; until a restart it is known here.
void file_store_state::describe(std::string_view id) {
  if (const auto* found = catalog->find(id))
    folder->describe(*found);
}

void file_store_state::remove(const std::string& id) {
  folder->remove(id);
  catalog->remove(id);
}

void file_store_state::on_tick() {
  for (const auto& id : catalog->expired(seconds_now()))
    remove(id);
  self->delayed_send(self, sweep_pause, atom::tick_v);
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
