#include "apps/model/scripted_model.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "apps/model/model_addresses.hpp"
#include "apps/model/model_shard.hpp"
#include "messages/http.hpp"
#include "messages/json.hpp"
#include "messages/ports/ports.hpp"
#include "transport/http_server/http_server.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::scripted {

/// Takes the requests of a server and answers them. Held by shared_ptr: work that it has posted to
/// other loops holds it, too.
class model_routes : public std::enable_shared_from_this<model_routes> {
public:
  /// @param home must outlive this
  /// @param max_running answers that may run at once on each loop; 0: no bound
  /// @param shows_requests false: only the routes that a provider has
  explicit model_routes(shards& home, size_t max_running = 0, bool shows_requests = true);

  /// Answers one request. Loop threads only.
  void take(server_request&& request, std::shared_ptr<http_response> to);

  /// Drops the answers under way, on every loop. Not from a loop's thread.
  void drop_answers();

private:
  using visitor = std::function<void(model_shard&)>;

  void visit_shards(size_t first, visitor visit, task after);
  void complete(server_request&& request, const request_address& at,
                std::shared_ptr<http_response> to);
  void send_requests(const std::shared_ptr<http_response>& to);
  void clear_requests(const std::shared_ptr<http_response>& to);
  void send_stats(http_response& to) const;

  shards& home_;
  bool shows_requests_;
  model_counters counters_;
  std::vector<std::unique_ptr<model_shard>> shards_; // each touched on its own loop only
};

namespace {

const headers json_head{{"content-type", "application/json"}};

/// Says that the path or the model is unknown, or which methods the path takes.
void refuse(const server_request& request, const asked_purpose& asked, http_response& to) {
  refusal why{refusal_kind::unknown_path, fmt::format("Unknown path: {}", request.path)};
  if (asked.what == purpose::list)
    why = {refusal_kind::unknown_model, "There is no such model."};
  if (asked.what == purpose::wrong_method)
    why = {refusal_kind::wrong_method,
           fmt::format("{} is not allowed here; use {}.", request.method, asked.allowed)};
  auto made = asked.answer.spoken->refuse(why);
  if (!asked.allowed.empty())
    made.fields.push_back({"allow", asked.allowed});
  to.send(made.status, made.fields, std::move(made.body));
}

} // namespace

model_routes::model_routes(shards& home, size_t max_running, bool shows_requests)
    : home_{home}, shows_requests_{shows_requests} {
  for (size_t i = 0; i < home.size(); ++i)
    shards_.push_back(std::make_unique<model_shard>(home.at(i), counters_, max_running));
}

void model_routes::take(server_request&& request, std::shared_ptr<http_response> to) {
  auto asked = purpose_of(request, shows_requests_);
  switch (asked.what) {
  case purpose::answer:
    return complete(std::move(request), asked.answer, std::move(to));
  case purpose::list:
    return asked.body.empty() ? refuse(request, asked, *to)
                              : to->send(200, json_head, std::move(asked.body));
  case purpose::stats:
    return send_stats(*to);
  case purpose::requests:
    return send_requests(to);
  case purpose::clear_requests:
    return clear_requests(to);
  case purpose::unknown_path:
  case purpose::wrong_method:
    return refuse(request, asked, *to);
  }
}

void model_routes::complete(server_request&& request, const request_address& at,
                            std::shared_ptr<http_response> to) {
  const auto* here = loop::current();
  if (here != nullptr && here->index() < shards_.size())
    shards_[here->index()]->complete(std::move(request), at, std::move(to));
}

/// Visits the shards from `first` on, each on its own loop, and calls `after` on the last one's.
void model_routes::visit_shards(size_t first, visitor visit, task after) {
  if (first == shards_.size())
    return after();
  home_.at(first).run(
      [self = shared_from_this(), first, visit = std::move(visit), after = std::move(after)] {
        visit(*self->shards_[first]);
        self->visit_shards(first + 1, visit, after);
      });
}

void model_routes::send_requests(const std::shared_ptr<http_response>& to) {
  auto all = std::make_shared<std::vector<logged_request>>();
  visit_shards(
      0, [all](model_shard& shard) { shard.log().copy_to(*all); },
      [all, to] { to->send(200, json_head, to_json_array(std::move(*all))); });
}

void model_routes::clear_requests(const std::shared_ptr<http_response>& to) {
  visit_shards(
      0, [](model_shard& shard) { shard.log().clear(); }, [to] { to->send(204, {}, {}); });
}

void model_routes::send_stats(http_response& to) const {
  to.send(200, json_head,
          fmt::format(R"({{"requests":{},"open":{},"completed":{},"aborted":{}}})",
                      counters_.requests.load(), counters_.open.load(), counters_.completed.load(),
                      counters_.aborted.load()));
}

void model_routes::drop_answers() {
  for (size_t i = 0; i < shards_.size(); ++i)
    home_.at(i).call([&] { shards_[i]->drop_answers(); });
}

} // namespace troupe::scripted

namespace troupe {

namespace {

/// Wide ones: it is the client's limits that are under test.
server_limits limits() {
  server_limits out;
  out.max_connections = 100'000;
  out.max_body_bytes = 64 * 1024 * 1024;
  return out;
}

/// Returns the host part of an address in the form in which a client on this machine reaches it.
std::string reachable_host(std::string_view address) {
  const auto host = address.substr(0, address.rfind(':'));
  if (host.empty() || host == "0.0.0.0" || host == "*")
    return "127.0.0.1";
  return host == "[::]" ? "[::1]" : std::string{host};
}

} // namespace

struct scripted_model::impl {
  impl(shards& home, size_t max_running, bool shows_requests)
      : desk{std::make_shared<scripted::model_routes>(home, max_running, shows_requests)},
        server{home, limits(),
               [to = desk](server_request&& request, std::shared_ptr<http_response> response) {
                 to->take(std::move(request), std::move(response));
               }} {}

  std::shared_ptr<scripted::model_routes> desk;
  http_server server;
  std::string host;
};

scripted_model::scripted_model(shards& home, size_t max_running, bool shows_requests)
    : impl_{std::make_unique<impl>(home, max_running, shows_requests)} {}

scripted_model::~scripted_model() {
  close();
}

failure scripted_model::listen(std::string_view address) {
  impl_->host = reachable_host(address);
  return impl_->server.listen(address);
}

uint16_t scripted_model::port() const {
  return impl_->server.port();
}

std::string scripted_model::base_url() const {
  return port() == 0 ? std::string{} : fmt::format("http://{}:{}/v1", impl_->host, port());
}

void scripted_model::close() {
  impl_->server.close();
  impl_->desk->drop_answers();
}

} // namespace troupe
