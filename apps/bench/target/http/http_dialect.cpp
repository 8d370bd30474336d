#include "apps/bench/target/http/http_dialect.hpp"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/plan/model_parameters.hpp"
#include "apps/bench/target/http/answer_readers.hpp"
#include "apps/bench/target/target_address.hpp"
#include "messages/wire/percent.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

namespace {

constexpr const char* openai_key = "OPENAI_API_KEY";
constexpr const char* troupe_key = "TROUPE_API_KEY";

bool is_authorization(const std::string& name) {
  constexpr std::string_view wanted = "authorization";
  if (name.size() != wanted.size())
    return false;
  for (size_t i = 0; i < name.size(); ++i)
    if ((name[i] | 0x20) != wanted[i])
      return false;
  return true;
}

/// Returns `target` with the API key of the environment among its header fields, unless these have
/// an authorization already.
target_spec with_key(target_spec target, const char* key_variable) {
  for (const auto& each : target.fields)
    if (is_authorization(each.name))
      return target;
  const char* key = std::getenv(key_variable);
  if (key != nullptr && *key != '\0')
    target.fields.push_back({"authorization", std::string{"Bearer "} + key});
  return target;
}

/// Makes a GET with the target's own header fields. Only connecting has a time limit.
http_request plain_get(const target_spec& target, std::string url) {
  http_request made;
  made.url = std::move(url);
  made.fields = target.fields;
  made.deadlines = {std::chrono::seconds{10}, {}, {}, {}};
  return made;
}

/// Makes a POST of JSON in the same way. It is never repeated, even if its kept connection breaks
/// before an answer.
http_request json_post(const target_spec& target, std::string url, std::string body) {
  auto made = plain_get(target, std::move(url));
  made.method = "POST";
  if (!body.empty())
    made.fields.push_back({"content-type", "application/json"});
  made.body = std::move(body);
  // A silent repetition would be a second turn for the target, but one turn in the figures.
  made.once = !made.body.empty();
  return made;
}

/// Appends a member `messages`; `write` appends one of them.
template <class Write>
void append_messages(json_buffer& out, const chat_history& said, Write write) {
  append_raw(out, R"("messages":[)");
  bool first = true;
  for (const auto& each : said.messages()) {
    if (!first)
      out.push_back(',');
    first = false;
    write(each);
  }
  out.push_back(']');
}

/// Appends a member `messages` with roles and content, as chat completions have it.
void append_plain_messages(json_buffer& out, const chat_history& said) {
  append_messages(out, said, [&out](const past_message& each) {
    append_raw(out, R"({"role":")");
    append_raw(out, to_string(each.who));
    append_raw(out, R"(","content":")");
    append_raw(out, each.text);
    append_raw(out, R"("})");
  });
}

/// Chat completions, streamed, of any endpoint that has them. Sends the whole chat with each turn.
class completions_dialect final : public http_dialect {
public:
  explicit completions_dialect(const target_spec& target)
      : http_dialect{target, completions_address(target.url), openai_key},
        asks_for_usage_{!has_parameter(target.parameters, "stream_options")} {}

  http_request ask(const turn_ask&, const chat_history& said) const override {
    json_buffer out;
    append_raw(out, R"({"stream":true)");
    if (asks_for_usage_)
      append_raw(out, R"(,"stream_options":{"include_usage":true})");
    append_model(out);
    append_parameters(out, target());
    out.push_back(',');
    append_plain_messages(out, said);
    out.push_back('}');
    return json_post(target(), url(), std::string{view(out)});
  }

  std::unique_ptr<answer_reader> reader(size_t keep_bytes) const override {
    return std::make_unique<chunk_answer_reader>(keep_bytes);
  }

  http_request probe() const override { return plain_get(target(), models_address(url())); }

  /// Only a refused key is a failure: not every endpoint has a list of models.
  failure judge(uint16_t status, const std::string&) const override {
    if (status != 401 && status != 403)
      return {};
    return {errc::config_invalid,
            fmt::format("the endpoint does not take the API key (HTTP {}): set {} or give an "
                        "Authorization header",
                        status, openai_key)};
  }

private:
  bool asks_for_usage_; ///< false if the plan's parameters have stream_options
};

/// Turns of a Troupe server that it answers with native events. Sends the new message only, unless
/// the chat begins with a history: the server has the rest.
class native_dialect final : public http_dialect {
public:
  explicit native_dialect(const target_spec& target)
      : http_dialect{target, troupe_address(target.url, "/v1/sessions"), troupe_key} {}

  http_request ask(const turn_ask& what, const chat_history& said) const override {
    json_buffer out;
    if (said.messages().size() > 1) {
      append_raw(out, R"({"replaceHistory":true,)");
      append_plain_messages(out, said);
    } else {
      append_raw(out, R"({"message":)");
      append_json(out, what.text);
    }
    append_model(out);
    append_parameters(out, target());
    append_raw(out, target().keeps ? "}" : R"(,"ephemeral":true})");
    const auto sessions = split(url());
    return json_post(target(),
                     sessions.base + '/' + percent_encoded(what.session_id) + "/turns" +
                         sessions.query,
                     std::string{view(out)});
  }

  std::unique_ptr<answer_reader> reader(size_t keep_bytes) const override {
    return std::make_unique<native_answer_reader>(keep_bytes);
  }

  /// A server that keeps nothing of a chat needs all of it with each turn.
  bool brings_history() const override { return !target().keeps; }
};

/// Returns where UI messages go: to Troupe's route, or to the path of any other endpoint.
std::string ui_address(const target_spec& target) {
  return target.kind == target_kind::ai_sdk && has_path(target.url)
             ? base_address(target.url)
             : address_with(target.url, "/api/chat");
}

/// UI messages, as the AI SDK sends them: to Troupe, or to any endpoint that takes them. Sends the
/// whole chat with each turn, as useChat does.
class ui_dialect final : public http_dialect {
public:
  explicit ui_dialect(const target_spec& target)
      : http_dialect{target, ui_address(target), troupe_key} {}

  http_request ask(const turn_ask& what, const chat_history& said) const override {
    json_buffer out;
    append_raw(out, R"({"id":)");
    append_json(out, what.session_id);
    append_raw(out, R"(,"trigger":"submit-message")");
    append_model(out);
    if (target().kind == target_kind::troupe && !target().keeps)
      append_raw(out, R"(,"ephemeral":true)");
    append_parameters(out, target());
    out.push_back(',');
    append_messages(out, said, [&out](const past_message& each) {
      append_raw(out, R"({"id":")");
      append_raw(out, each.id);
      append_raw(out, R"(","role":")");
      append_raw(out, to_string(each.who));
      append_raw(out, R"(","parts":[{"type":"text","text":")");
      append_raw(out, each.text);
      append_raw(out, R"("}]})");
    });
    out.push_back('}');
    return json_post(target(), url(), std::string{view(out)});
  }

  std::unique_ptr<answer_reader> reader(size_t keep_bytes) const override {
    return std::make_unique<ui_answer_reader>(keep_bytes);
  }
};

} // namespace

http_dialect::http_dialect(const target_spec& target, std::string url, const char* key_variable)
    : target_{with_key(target, key_variable)}, url_{std::move(url)} {}

bool http_dialect::is_troupe() const {
  return target_.kind == target_kind::troupe || target_.kind == target_kind::native;
}

void http_dialect::append_model(json_buffer& out) const {
  if (target_.model.empty())
    return;
  append_raw(out, R"(,"model":)");
  append_json(out, target_.model);
}

std::optional<http_request> http_dialect::stop(const std::string& session_id) const {
  if (!is_troupe())
    return std::nullopt;
  const auto path = "/api/chat/" + percent_encoded(session_id) + "/stop";
  return json_post(target_, troupe_address(target_.url, path), "");
}

http_request http_dialect::probe() const {
  return plain_get(target_, is_troupe() ? troupe_address(target_.url, "/readyz") : url_);
}

/// A foreign endpoint is there, whatever it says to a GET.
failure http_dialect::judge(uint16_t status, const std::string& body) const {
  if (!is_troupe() || status == 200)
    return {};
  return {errc::config_invalid,
          fmt::format("the server is not ready for turns; /readyz answered {}: {}", status,
                      excerpt(body))};
}

std::unique_ptr<http_dialect> make_dialect(const target_spec& target) {
  switch (target.kind) {
  case target_kind::troupe:
  case target_kind::ai_sdk:
    return std::make_unique<ui_dialect>(target);
  case target_kind::native:
    return std::make_unique<native_dialect>(target);
  case target_kind::openai:
    return std::make_unique<completions_dialect>(target);
  default:
    throw std::invalid_argument{"this target does not speak HTTP"};
  }
}

std::string troupe_address(const std::string& url, std::string_view path) {
  auto [base, query] = split(url);
  for (std::string_view route : {"/api/chat", "/v1/sessions", "/v1"})
    if (base.ends_with(route)) {
      base.resize(base.size() - route.size());
      break;
    }
  return base.append(path) + query;
}

} // namespace troupe::bench
