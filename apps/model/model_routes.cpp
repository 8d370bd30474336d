#include "apps/model/model_routes.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/model/model_addresses.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

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
