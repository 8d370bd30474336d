#include "apps/bench/target/http/native_dialect.hpp"

#include <utility>

#include "apps/bench/plan/model_parameters.hpp"
#include "apps/bench/target/http/native_answer_reader.hpp"
#include "apps/bench/target/http/troupe_server.hpp"
#include "messages/json.hpp"
#include "messages/wire/percent.hpp"

namespace troupe::bench {

namespace {

/// Appends the messages of a chat that begins with a history.
void append_history(json_buffer& out, const chat_history& said) {
  append_raw(out, R"({"replaceHistory":true,"messages":[)");
  bool first = true;
  for (const auto& each : said.messages()) {
    append_raw(out, first ? R"({"role":")" : R"(,{"role":")");
    first = false;
    append_raw(out, to_string(each.who));
    append_raw(out, R"(","content":")");
    append_raw(out, each.text);
    append_raw(out, R"("})");
  }
  append_raw(out, "]");
}

} // namespace

native_dialect::native_dialect(const target_spec& target)
    : target_{with_key(target, troupe_key)}, sessions_{split(
                                                 troupe_address(target.url, "/v1/sessions"))} {}

http_request native_dialect::ask(const turn_ask& what, const chat_history& said) const {
  json_buffer out;
  if (said.messages().size() > 1) {
    append_history(out, said);
  } else {
    append_raw(out, R"({"message":)");
    append_json(out, what.text);
  }
  if (!target_.model.empty()) {
    append_raw(out, R"(,"model":)");
    append_json(out, target_.model);
  }
  append_parameters(out, target_);
  append_raw(out, target_.keeps ? "}" : R"(,"ephemeral":true})");
  auto url = sessions_.base + '/' + percent_encoded(what.session_id) + "/turns" + sessions_.query;
  return json_post(target_, std::move(url), std::string{view(out)});
}

std::unique_ptr<answer_reader> native_dialect::reader(size_t keep_bytes) const {
  return std::make_unique<native_answer_reader>(keep_bytes);
}

/// A server that keeps nothing of a chat needs all of it with each turn.
bool native_dialect::brings_history() const {
  return !target_.keeps;
}

std::optional<http_request> native_dialect::stop(const std::string& session_id) const {
  return troupe_stop(target_, session_id);
}

http_request native_dialect::probe() const {
  return troupe_probe(target_);
}

failure native_dialect::judge(uint16_t status, const std::string& body) const {
  return judge_troupe(status, body);
}

} // namespace troupe::bench
