#include "transport/mcp/mcp_http_session.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

/// The part of a body that is searched for secrets before its beginning is quoted.
constexpr size_t quoted_bytes = 4096;

/// Shorter header values are not secret, and would be found everywhere.
constexpr size_t secret_bytes = 6;

void hide(std::string& in, std::string_view secret) {
  if (secret.size() < secret_bytes)
    return;
  for (auto at = in.find(secret); at != in.npos; at = in.find(secret, at + 3))
    in.replace(at, secret.size(), "***");
}

} // namespace

http_request mcp_http_session::request(std::string method, std::string accept) const {
  http_request out;
  out.method = std::move(method);
  out.url = config.url;
  out.proxy = config.proxy;
  out.deadlines = {connect_limit(config), {}, {}, {}};
  out.fields = config.http_headers;
  if (!accept.empty())
    out.fields.push_back({"Accept", std::move(accept)});
  if (!id.empty())
    out.fields.push_back({"Mcp-Session-Id", id});
  if (!version.empty())
    out.fields.push_back({"MCP-Protocol-Version", version});
  return out;
}

std::unique_ptr<mcp_http_call> mcp_http_session::open(http_request request,
                                                      mcp_http_call::handler handle) {
  return std::make_unique<mcp_http_call>(*this, std::move(request), std::move(handle));
}

void mcp_http_session::join(const std::string& session_id) {
  const auto visible = [](char c) { return c >= 0x21 && c <= 0x7E; };
  if (std::all_of(session_id.begin(), session_id.end(), visible))
    id = session_id;
}

std::string mcp_http_session::describe_loss(const mcp_refusal& refusal) const {
  return fmt::format("MCP server '{}': session expired (HTTP {}) {}", config.name, refusal.status,
                     quote(refusal.words));
}

std::string mcp_http_session::describe_refusal(const mcp_answer_reader& answer,
                                               std::string_view what, std::string_view why) const {
  const auto status = answer.status();
  auto text = fmt::format("MCP server '{}' answered {} with HTTP {}", config.name, what, status);
  const auto said = quote(answer.body());
  if (status >= 400 && status != 401 && status != 403 && said.empty() && why.empty())
    return text + ", without a word";
  text += ": ";
  if (status == 401 || status == 403)
    text += R"(it wants another authorization, to be set in `headers` of this server, as in )"
            R"({"Authorization": "Bearer ..."}. )";
  else if (status < 400)
    text += fmt::format("this redirect to '{}' is not followed; if it is right, make it the `url` "
                        "of this server. ",
                        quote(answer.location()));
  return fmt::format("{}{}{}{}", text, said, said.empty() || why.empty() ? "" : "; ", why);
}

std::string mcp_http_session::quote(std::string_view text) const {
  std::string out{text.substr(0, quoted_bytes)};
  for (const auto& each : config.http_headers) {
    hide(out, each.value);
    hide(out, std::string_view{each.value}.substr(each.value.find_last_of(' ') + 1));
  }
  return excerpt(out);
}

} // namespace troupe
