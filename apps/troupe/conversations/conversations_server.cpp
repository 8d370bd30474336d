// The conversations of a running server.
#include "apps/troupe/conversations/conversations_backend.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/troupe/server_client.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

const std::string all_path = "/v1/conversations";

/// Returns `path` with the members of a query that are not empty.
std::string with_query(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& members) {
  char before = '?';
  for (const auto& [name, value] : members)
    if (!value.empty())
      path += std::exchange(before, '&') + name + '=' + percent_encoded(value);
  return path;
}

std::string number(uint32_t limit) {
  return limit == 0 ? "" : std::to_string(limit);
}

/// Returns the code that the server gave, or the one of the connection.
errc code_of(const server_answer& answer) {
  if (answer.error)
    return answer.error.code;
  json_source source{answer.body};
  std::string_view error, code;
  read_members(source.root(), {{"error", &error}});
  read_members(error, {{"code", &code}});
  return errc_from(json_string(code));
}

headers if_match(uint64_t version) {
  if (version == 0)
    return {};
  return {{"if-match", fmt::format("\"v{}\"", version)}};
}

/// Returns the version in an ETag, strong or weak; 0 if there is none.
uint64_t version_in(std::string_view tag) {
  constexpr std::string_view before = "\"v";
  uint64_t version = 0;
  if (const auto at = tag.find(before); at != tag.npos)
    std::from_chars(tag.data() + at + before.size(), tag.data() + tag.size(), version);
  return version;
}

class server final : public conversations_backend {
public:
  explicit server(const std::string& url) : client_{url} {}

  backend_answer list(uint32_t limit, const std::string& cursor) override {
    return send("GET", with_query(all_path, {{"limit", number(limit)}, {"cursor", cursor}}));
  }

  backend_answer search(const std::string& words, uint32_t limit,
                        const std::string& cursor) override {
    return send("GET", with_query(all_path + "/search",
                                  {{"q", words}, {"limit", number(limit)}, {"cursor", cursor}}));
  }

  backend_answer show(const std::string& id) override { return send("GET", path(id)); }

  backend_answer export_file(const std::string& id) override {
    return send("GET", path(id) + "/export");
  }

  backend_answer import_file(std::string json, const std::string& id) override {
    return send("POST", with_query(all_path + "/import", {{"id", id}}), std::move(json));
  }

  backend_answer rename(const std::string& id, const std::string& title) override {
    return send("PATCH", path(id), R"({"title":)" + to_json(title) + "}");
  }

  backend_answer remove(const std::string& id, uint64_t if_version) override {
    return send("DELETE", path(id), {}, if_match(if_version));
  }

  backend_answer branch(const std::string& id, const branch_options& how) override {
    json_buffer body;
    json_object{body}
        .member("messageId", how.message_id)
        .member("id", how.id)
        .member("title", how.title);
    return send("POST", path(id) + "/branch", std::string{view(body)});
  }

  backend_answer overrides(const std::string& id) override {
    return send("GET", path(id) + "/overrides");
  }

  backend_answer set_overrides(const std::string& id, const chat_overrides& what,
                               uint64_t if_version) override {
    return send("PUT", path(id) + "/overrides", overrides_json(what), if_match(if_version));
  }

  backend_answer usage(const std::string& from, const std::string& to) override {
    return send("GET", with_query("/v1/usage", {{"from", from}, {"to", to}}));
  }

private:
  static std::string path(const std::string& id) { return all_path + '/' + percent_encoded(id); }

  backend_answer send(std::string_view method, const std::string& to, std::string body = {},
                      const headers& fields = {}) {
    auto answer = client_.send(method, to, std::move(body), fields);
    if (!answer.ok())
      return {{code_of(answer), answer.complaint()}, ""};
    return {{}, std::move(answer.body), version_in(answer.etag)};
  }

  server_client client_;
};

} // namespace

std::unique_ptr<conversations_backend> server_backend(const std::string& url) {
  return std::make_unique<server>(url);
}

} // namespace troupe
