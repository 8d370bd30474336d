#include "apps/bench/target/http/ui_dialect.hpp"

#include "apps/bench/plan/model_parameters.hpp"
#include "apps/bench/target/http/troupe_server.hpp"
#include "apps/bench/target/http/ui_answer_reader.hpp"
#include "apps/bench/target/target_address.hpp"
#include "messages/json.hpp"

namespace troupe::bench {

namespace {

constexpr std::string_view route = "/api/chat";

void append_message(json_buffer& out, const past_message& said) {
  append_raw(out, R"({"id":")");
  append_raw(out, said.id);
  append_raw(out, R"(","role":")");
  append_raw(out, to_string(said.who));
  append_raw(out, R"(","parts":[{"type":"text","text":")");
  append_raw(out, said.text);
  append_raw(out, R"("}]})");
}

} // namespace

ui_dialect::ui_dialect(const target_spec& target)
    : target_{with_key(target, troupe_key)}, url_{target.kind == target_kind::ai_sdk &&
                                                          has_path(target.url)
                                                      ? base_address(target.url)
                                                      : address_with(target.url, route)} {}

http_request ui_dialect::ask(const turn_ask& what, const chat_history& said) const {
  json_buffer out;
  append_raw(out, R"({"id":)");
  append_json(out, what.session_id);
  append_raw(out, R"(,"trigger":"submit-message")");
  if (!target_.model.empty()) {
    append_raw(out, R"(,"model":)");
    append_json(out, target_.model);
  }
  if (target_.kind == target_kind::troupe && !target_.keeps)
    append_raw(out, R"(,"ephemeral":true)");
  append_parameters(out, target_);
  append_raw(out, R"(,"messages":[)");
  bool first = true;
  for (const auto& each : said.messages()) {
    if (!first)
      out.push_back(',');
    first = false;
    append_message(out, each);
  }
  append_raw(out, "]}");
  return json_post(target_, url_, std::string{view(out)});
}

std::unique_ptr<answer_reader> ui_dialect::reader(size_t keep_bytes) const {
  return std::make_unique<ui_answer_reader>(keep_bytes);
}

bool ui_dialect::brings_history() const {
  return true;
}

std::optional<http_request> ui_dialect::stop(const std::string& session_id) const {
  if (target_.kind != target_kind::troupe)
    return std::nullopt;
  return troupe_stop(target_, session_id);
}

http_request ui_dialect::probe() const {
  if (target_.kind == target_kind::troupe)
    return troupe_probe(target_);
  return plain_get(target_, url_);
}

/// Whatever a foreign endpoint says to a GET, it is there.
failure ui_dialect::judge(uint16_t status, const std::string& body) const {
  return target_.kind == target_kind::troupe ? judge_troupe(status, body) : failure{};
}

} // namespace troupe::bench
