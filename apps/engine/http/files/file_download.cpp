#include "apps/engine/http/files/file_download.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds piece_limit{30};

headers content_head(const stored_file& file) {
  return {{"content-type", file.media_type},
          {"content-disposition", "attachment; filename*=UTF-8''" + percent_encoded(file.filename)},
          {"content-security-policy", "default-src 'none'; sandbox"},
          {"cross-origin-resource-policy", "same-origin"},
          {"cache-control", "private, no-store"}};
}

/// Asks for one piece after the other, the next one when the client has room for it.
struct file_download_state {
  static inline const char* name = "troupe.file_download";

  explicit file_download_state(caf::event_based_actor* ptr) : self{ptr} {}

  void ask() {
    self->request(store, piece_limit, read_file_piece{owner, id, offset})
        .then([this](const file_piece& piece) { on_piece(piece); },
              [this](const caf::error&) {
                fail({errc::store_timeout, "The file could not be read."});
              });
  }

  void on_piece(const file_piece& piece) {
    if (piece.error)
      return fail(piece.error);
    if (offset == 0)
      response->start(200, content_head(piece.file));
    offset += piece.bytes.size();
    const bool room = response->write(piece.bytes);
    if (offset >= piece.file.bytes) {
      response->finish();
      return self->quit();
    }
    if (piece.bytes.empty()) // the file is shorter than it was
      return fail({errc::internal, ""});
    waits = !room;
    if (room)
      ask();
  }

  void fail(const failure& why) {
    if (offset == 0)
      send_error(*response, why);
    else
      response->reset();
    self->quit();
  }

  void on_client(response_signal what) {
    if (what == response_signal::gone)
      return self->quit();
    if (std::exchange(waits, false))
      ask();
  }

  caf::event_based_actor* self;
  file_store_actor store;
  std::shared_ptr<http_response> response;
  std::string owner;
  std::string id;
  uint64_t offset = 0;
  bool waits = false;
};

caf::behavior file_download(caf::stateful_actor<file_download_state>* self, file_store_actor store,
                            std::shared_ptr<http_response> response, std::string owner,
                            std::string id) {
  quiet(self);
  auto& state = self->state;
  state.store = std::move(store);
  state.response = std::move(response);
  state.owner = std::move(owner);
  state.id = std::move(id);
  caf::actor me{self};
  state.response->watch([me](response_signal what) {
    caf::anon_send<caf::message_priority::high>(me, client_signal{what});
  });
  state.ask();
  return {[&state](const client_signal& signal) { state.on_client(signal.what); }};
}

} // namespace

void spawn_file_download(http_call& in, file_store_actor store) {
  in.system.spawn(file_download, std::move(store), std::move(in.response), in.who.owner, in.ids[0]);
}

} // namespace troupe
