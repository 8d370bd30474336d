#include "apps/engine/http/files/upload_sink.hpp"

#include <charconv>
#include <utility>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "messages/ids.hpp"

namespace troupe {

namespace {

uint64_t announced_bytes(const server_request& request) {
  const auto text = find_header(request.fields, "content-length");
  uint64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

} // namespace

upload_sink::upload_sink(file_store_actor to, begin_file what)
    : to_{std::move(to)}, what_{std::move(what)} {}

upload_sink::~upload_sink() {
  if (begun_)
    caf::anon_send(to_, end_file{what_.upload, true});
}

void upload_sink::watch(std::function<void()> go_on) {
  what_.flow->go_on = std::move(go_on);
  begun_ = true;
  caf::anon_send(to_, what_);
}

body_sink::wish upload_sink::take(std::string_view bytes) {
  auto& flow = *what_.flow;
  if (flow.stopped)
    return wish::stop;
  const auto waiting = flow.waiting.fetch_add(bytes.size()) + bytes.size();
  caf::anon_send(to_, file_bytes{what_.upload, std::string{bytes}});
  return waiting >= upload_flow::high_water ? wish::wait : wish::more;
}

std::string upload_sink::take_over() {
  if (!std::exchange(begun_, false))
    caf::anon_send(to_, what_); // there was no body
  return what_.upload;
}

std::shared_ptr<upload_sink> make_upload_sink(caf::actor_system& system,
                                              const server_request& request,
                                              const std::string& owner) {
  const auto encoding = find_header(request.fields, "content-encoding");
  auto store = whereis<file_store_actor>(system, file_store_name);
  if (!store || !(encoding.empty() || encoding == "identity"))
    return nullptr;
  begin_file what;
  what.upload = make_id("upload_");
  what.owner = owner;
  what.content_type = find_header(request.fields, "content-type");
  what.filename = query_value(request.query, "filename");
  what.purpose = query_value(request.query, "purpose");
  what.announced = announced_bytes(request);
  what.flow = std::make_shared<upload_flow>();
  return std::make_shared<upload_sink>(std::move(store), std::move(what));
}

} // namespace troupe
