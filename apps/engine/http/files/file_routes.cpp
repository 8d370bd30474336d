#include <array>
#include <charconv>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/files/upload_sink.hpp"
#include "apps/engine/http/requests/http_reply.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/interfaces/file_interfaces.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

// -- file download --------------------------------------------------------------------------------

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

/// Spawns the actor that answers with the bytes of the file that the path names: as an attachment,
/// with the type that it was found to have, so that no browser shows or runs it as a page.
void spawn_file_download(http_call& in, file_store_actor store) {
  in.system.spawn(file_download, std::move(store), std::move(in.response), in.who.owner, in.ids[0]);
}

// -- file routes ----------------------------------------------------------------------------------

constexpr uint32_t most_files = 10'000; // of a page, as OpenAI has it

/// As OpenAI's API writes a file, with the members of Anthropic's and of a UI message's part beside
/// them.
void append_file(json_buffer& out, const stored_file& file) {
  json_object{out}
      .member("id", file.id)
      .member("object", "file")
      .member("bytes", file.bytes)
      .member("created_at", file.created_at)
      .or_null("expires_at", file.chats.empty() ? file.expires_at : 0)
      .member("filename", file.filename)
      .member("purpose", file.purpose)
      .member("status", "processed")
      .member("type", "file")
      .member("mime_type", file.media_type)
      .member("size_bytes", file.bytes)
      .member("downloadable", true)
      .member("mediaType", file.media_type)
      .member("url", file_url(file.id));
}

failure no_file_store(const store_settings& settings) {
  if (settings.folder.empty())
    return {errc::capability_missing,
            "Files are kept with a data folder only; start the server with --data."};
  return {errc::store_failed, "The store of files is being restarted; try again shortly."};
}

/// Asks the file_store, and has `write` make the JSON of its answer.
template <class Answer, class Ask>
void reply_from_files(http_call& in, Ask what, std::string (*write)(const Answer&)) {
  if (!whereis<file_store_actor>(in.system, file_store_name))
    return send_error(*in.response, no_file_store(in.config.store));
  spawn_http_reply(in, [what = std::move(what), write](http_reply& out) {
    out.ask<Answer, file_store_actor>(file_store_name, what, [&out, write](const Answer& answer) {
      if (answer.error)
        out.refuse(answer.error);
      else
        out.send(write(answer));
    });
  });
}

std::string answer_json(const file_answer& answer) {
  json_buffer out;
  append_file(out, answer.file);
  return std::string{view(out)};
}

// -- uploads --------------------------------------------------------------------------------------

void post_file(http_call& in) {
  auto sink = std::dynamic_pointer_cast<upload_sink>(in.request.taken);
  if (!sink && whereis<file_store_actor>(in.system, file_store_name))
    sink = make_upload_sink(in.system, in.request, in.who.owner); // the request has no body
  if (!sink)
    return send_error(*in.response, no_file_store(in.config.store));
  end_file end{sink->take_over(), false};
  reply_from_files<file_answer>(in, std::move(end), answer_json);
}

// -- questions ------------------------------------------------------------------------------------

/// Refuses what would change the list, and is not done.
failure refuse_unknown(std::string_view query) {
  for (const std::string_view name : {"before_id", "ids", "ids%5B%5D", "ids[]"})
    if (!query_value(query, name).empty())
      return {errc::request_invalid,
              fmt::format("{} is not known here: pages go on with after, and GET /v1/files/ID has "
                          "one file",
                          name.substr(0, name.find_first_of("%[")))};
  return {};
}

failure parse_list(std::string_view query, list_files& out) {
  if (auto bad = refuse_unknown(query))
    return bad;
  for (const std::string_view name :
       {"after", "after_id", "page"}) // the last two are those of Anthropic's clients
    if (out.after.empty())
      out.after = query_value(query, name);
  out.purpose = query_value(query, "purpose");
  const auto order = query_value(query, "order");
  if (!order.empty() && order != "asc" && order != "desc")
    return {errc::request_invalid, "order must be asc or desc"};
  out.oldest_first = order == "asc";
  const auto text = query_value(query, "limit");
  if (text.empty())
    return {};
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), out.limit);
  if (bad != std::errc{} || end != text.data() + text.size() || out.limit == 0 ||
      out.limit > most_files)
    return {errc::request_invalid,
            fmt::format("limit must be a whole number from 1 to {}", most_files)};
  return {};
}

std::string page_json(const file_page& page) {
  return json_text([&](json_object& out) {
    const auto first = page.files.empty() ? std::string{} : page.files.front().id;
    const auto last = page.files.empty() ? std::string{} : page.files.back().id;
    out.member("object", "list").array("data").each(page.files, append_file);
    out.or_null("first_id", first)
        .or_null("last_id", last)
        .member("has_more", page.has_more)
        .or_null("next_page", page.has_more ? last : std::string{});
  });
}

std::string removed_json(const file_answer& answer) {
  return fmt::format(R"({{"id":{},"object":"file","type":"file_deleted","deleted":true}})",
                     to_json(answer.file.id));
}

void get_files(http_call& in) {
  list_files what;
  what.owner = in.who.owner;
  if (auto bad = parse_list(in.request.query, what))
    return send_error(*in.response, bad);
  reply_from_files<file_page>(in, std::move(what), page_json);
}

void get_file(http_call& in) {
  reply_from_files<file_answer>(in, file_request{in.who.owner, in.ids[0], false}, answer_json);
}

void delete_file(http_call& in) {
  reply_from_files<file_answer>(in, file_request{in.who.owner, in.ids[0], true}, removed_json);
}

void get_content(http_call& in) {
  auto store = whereis<file_store_actor>(in.system, file_store_name);
  if (!store)
    return send_error(*in.response, no_file_store(in.config.store));
  spawn_file_download(in, std::move(store));
}

constexpr std::array file_rows{
    http_route{"POST", "/v1/files", post_file, route_access::owners, true},
    http_route{"GET", "/v1/files", get_files},
    http_route{"GET", "/v1/files/{}/content", get_content},
    http_route{"GET", "/v1/files/{}", get_file},
    http_route{"DELETE", "/v1/files/{}", delete_file},
};

} // namespace

route_table file_routes() {
  return file_rows;
}

} // namespace troupe
