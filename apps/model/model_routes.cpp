#include "apps/model/model_routes.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/model/model_error.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

namespace {

enum class route : uint8_t { chat, models, stats, requests, clear_requests };

struct route_row {
  std::string_view method;
  std::string_view path;
  route to;
};

constexpr size_t providers_routes = 2; // the first ones; the others tell of requests
constexpr std::array<route_row, 5> routes{{
    {"POST", "/v1/chat/completions", route::chat},
    {"GET", "/v1/models", route::models},
    {"GET", "/stats", route::stats},
    {"GET", "/requests", route::requests},
    {"DELETE", "/requests", route::clear_requests},
}};

const headers json_head{{"content-type", "application/json"}};

std::string models_body() {
  json_buffer out;
  append_raw(out, R"({"object":"list","data":[)");
  for (const auto& row : all_scripts()) {
    append_raw(out, &row == &all_scripts().front() ? R"({"id":)" : R"(,{"id":)");
    append_json(out, row.name);
    append_raw(out, R"(,"object":"model","created":1735689600,"owned_by":"troupe"})");
  }
  append_raw(out, "]}");
  return std::string{view(out)};
}

/// Says that the path is unknown, or which methods it takes.
void refuse(const server_request& request, std::span<const route_row> rows, http_response& to) {
  std::string allowed;
  for (const auto& row : rows)
    if (row.path == request.path)
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", row.method);
  headers fields = json_head;
  if (allowed.empty())
    return to.send(404, fields,
                   error_body({404, fmt::format("Unknown path: {}", request.path),
                               "invalid_request_error", "unknown_url"}));
  fields.push_back({"allow", allowed});
  to.send(405, fields,
          error_body({405, fmt::format("{} is not allowed here; use {}.", request.method, allowed),
                      "invalid_request_error", "method_not_allowed"}));
}

} // namespace

model_routes::model_routes(shards& home, size_t max_running, bool shows_requests)
    : home_{home}, shows_requests_{shows_requests} {
  for (size_t i = 0; i < home.size(); ++i)
    shards_.push_back(std::make_unique<model_shard>(home.at(i), counters_, max_running));
}

void model_routes::take(server_request&& request, std::shared_ptr<http_response> to) {
  const auto rows =
      std::span<const route_row>{routes}.first(shows_requests_ ? routes.size() : providers_routes);
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) {
    return each.method == request.method && each.path == request.path;
  });
  if (row == rows.end())
    return refuse(request, rows, *to);
  switch (row->to) {
  case route::chat:
    return complete(std::move(request), std::move(to));
  case route::models:
    return to->send(200, json_head, models_body());
  case route::stats:
    return send_stats(*to);
  case route::requests:
    return send_requests(to);
  case route::clear_requests:
    return clear_requests(to);
  }
}

void model_routes::complete(server_request&& request, std::shared_ptr<http_response> to) {
  const auto* here = loop::current();
  if (here != nullptr && here->index() < shards_.size())
    shards_[here->index()]->complete(std::move(request), std::move(to));
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
