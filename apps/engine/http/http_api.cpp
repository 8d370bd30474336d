#include "apps/engine/http/http_api.hpp"

#include <string_view>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "apps/engine/access/auth.hpp"
#include "apps/engine/http/files/upload_sink.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/requests/client_paths.hpp"
#include "apps/engine/http/requests/request_log.hpp"
#include "apps/engine/http/requests/request_refusal.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/sinks/forwarded_response.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"

namespace troupe {

namespace {

/// Returns the row that answers, or nullptr; then `allowed` has the methods of the path's rows.
const http_route* find_route(std::span<const route_table> tables, std::string_view method,
                             const server_request& request, path_ids& ids, std::string& allowed) {
  for (auto rows : tables)
    for (const auto& row : rows) {
      if (!matches(row, request, ids))
        continue;
      if (row.method == method)
        return &row;
      allowed += (allowed.empty() ? "" : ", ") + std::string{row.method};
    }
  return nullptr;
}

/// Looks for the row of a path that a client means. @param request its path is set to that one
const http_route* find_meant_route(std::span<const route_table> tables, std::string_view method,
                                   server_request& request, path_ids& ids, std::string& allowed) {
  auto meant = meant_client_path(request.path);
  if (meant.empty())
    return nullptr;
  request.path = std::move(meant);
  request.target = meant_client_path(request.target);
  return find_route(tables, method, request, ids, allowed);
}

/// Says that no row has this path, or none with this method.
void refuse_path(const std::string& path, const std::string& allowed, http_response& response) {
  if (allowed.empty())
    return refuse_request(path, response, {errc::not_found, "There is nothing at " + path + '.'},
                          {});
  refuse_request(path, response, {errc::method_not_allowed, path + " takes " + allowed + '.'},
                 {{"allow", allowed}});
}

/// Refuses a body that is compressed: nothing here unpacks it.
failure check_encoding(const server_request& request, std::string_view encoding) {
  if ((request.body.empty() && !request.taken) || encoding.empty() || encoding == "identity")
    return {};
  return {errc::encoding_unsupported, "Content-Encoding '" + std::string{encoding} +
                                          "' is not supported: send the body as it is."};
}

/// The room for a form's other fields beside its file.
constexpr size_t form_bytes = 64 * 1024;

/// Says how large a body may be, and how what is larger comes here.
failure too_large(const server_request& request, const engine_config& config) {
  const auto& limits = config.limits;
  if (request.path.starts_with("/v1/files"))
    return {errc::request_too_large,
            fmt::format("The file is too large: it may have {} bytes (limits.maxFileBytes).",
                        limits.files.max_file_bytes)};
  std::string_view hint = config.store.keeps()
                              ? " Upload files with POST /v1/files and refer to them by their id."
                              : " Send smaller files, or fewer messages.";
  return {errc::request_too_large,
          fmt::format("The request is too large: it may have {} bytes (limits.maxBodyBytes).{}",
                      limits.server.max_body_bytes, hint)};
}

caf::behavior nothing(caf::event_based_actor* self) {
  quiet(self);
  return {[](atom::done) {}};
}

} // namespace

http_api::http_api(caf::actor_system& system, const engine_config& config,
                   std::span<const route_table> routes, std::function<client_load()> load)
    : system_(system), config_(config),
      routes_(routes), services_{system.spawn(nothing), std::move(load),
                                 ui_profile_of(config.ui_profile).value_or(ui_profile::v6),
                                 &keep_alive_, &slots_} {}

http_api::~http_api() {
  end_streams();
}

void http_api::end_streams() {
  caf::anon_send_exit(services_.streams, caf::exit_reason::user_shutdown);
}

body_permit http_api::permit(const server_request& request) const {
  std::string allowed;
  path_ids ids;
  const auto* row = find_route(routes_, request.method, request, ids, allowed);
  if (row == nullptr && allowed.empty()) {
    auto meant = request;
    row = find_meant_route(routes_, request.method, meant, ids, allowed);
  }
  if (row == nullptr)
    return {.read = false};
  auto let_in = identify(read_known_fields(request), row->access, config_, *keys_);
  body_permit out{.read = !let_in.refused && !let_in.is_preflight, .answers_too_large = true};
  if (row->takes_file && out.read) {
    out.sink = make_upload_sink(system_, request, let_in.who.owner);
    out.read = out.sink != nullptr;
    out.max_body_bytes = config_.limits.files.max_file_bytes + form_bytes;
  }
  out.owner = std::move(let_in.who.owner);
  return out;
}

void http_api::answer(server_request&& request, std::shared_ptr<http_response> response) {
  if (services_.nodes != nullptr)
    drop_node_fields(request.fields);
  std::string allowed;
  path_ids ids;
  auto method = request.method == "HEAD" ? std::string_view{"GET"} : request.method;
  const auto* row = find_route(routes_, method, request, ids, allowed);
  if (row == nullptr && allowed.empty())
    row = find_meant_route(routes_, method, request, ids, allowed);
  const auto known = read_known_fields(request);
  auto let_in = admit(known, row ? row->access : route_access::owners, config_, *keys_);
  response = logged(config_, request, let_in.who.owner, std::move(response));
  if (!let_in.cors.empty())
    response = std::make_shared<headed_response>(std::move(response), std::move(let_in.cors));
  if (let_in.is_preflight)
    return response->send(204, let_in.fields, "");
  if (let_in.refused) {
    refused_pages_.note(config_.log.get(), request, let_in.refused, origin_log::clock::now());
    let_in.fields.push_back({"x-request-id", request_id_of(known)});
    return refuse_request(request.path, *response, let_in.refused, std::move(let_in.fields));
  }
  if (row == nullptr)
    return refuse_path(request.path, allowed, *response);
  if (request.too_large)
    return refuse_request(request.path, *response, too_large(request, config_), {});
  if (auto bad = check_encoding(request, known.content_encoding))
    return refuse_request(request.path, *response, bad, {});
  if (auto bad = check_query(request.query))
    return refuse_request(request.path, *response, bad, {{"x-request-id", request_id_of(known)}});
  http_call in{system_, config_,        services_,           std::move(request),
               known,   std::move(ids), std::move(response), std::move(let_in.who)};
  if (services_.nodes != nullptr)
    services_.nodes->run(*row, std::move(in));
  else
    row->run(in);
}

// -- requests of other nodes ----------------------------------------------------------------------

void http_api::forward_to(turn_forwarder& nodes, route_table own) {
  services_.nodes = &nodes;
  node_rows_ = own;
  nodes.serve(
      [this](const principal& who, server_request&& request, std::shared_ptr<http_response> to) {
        const auto known = read_known_fields(request);
        std::string allowed;
        path_ids ids;
        if (const auto* row = find_route(routes_, request.method, request, ids, allowed))
          services_.nodes->search(*row, {system_, config_, services_, std::move(request), known,
                                         std::move(ids), std::move(to), who});
        else
          refuse_path(request.path, allowed, *to);
      });
}

body_permit http_api::permit_node(const server_request& request) const {
  forward_terms terms;
  body_permit out{.read = !read_forward(request, services_.nodes->signature(), false, terms),
                  .answers_too_large = true};
  out.owner = std::move(terms.owner);
  return out;
}

void http_api::answer_node(server_request&& request, std::shared_ptr<http_response> response) {
  forward_terms terms;
  const auto with_body = !request.too_large;
  if (auto bad = read_forward(request, services_.nodes->signature(), with_body, terms))
    return send_error(*response, bad, {{std::string{not_taken_field}, "request"}});
  response = logged(config_, request, terms.owner, std::move(response));
  std::string allowed;
  path_ids ids;
  auto method = request.method == "HEAD" ? std::string_view{"GET"} : request.method;
  const auto* own = find_route({&node_rows_, 1}, method, request, ids, allowed);
  const auto* row = own ? own : find_route(routes_, method, request, ids, allowed);
  if (row == nullptr || (row != own && row->turn == turn_place::none)) // what each node can do
    return refuse_path(request.path, allowed, *response);
  if (request.too_large)
    return refuse_request(request.path, *response, too_large(request, config_), {});
  const auto known = read_known_fields(request);
  http_call in{
      system_,
      config_,
      services_,
      std::move(request),
      known,
      std::move(ids),
      std::move(response),
      {terms.owner, false, terms.concurrent_turns, nullptr, config_.shows_error_details()}};
  if (row == own)
    row->run(in);
  else
    services_.nodes->take(*row, std::move(in), terms);
}

} // namespace troupe
