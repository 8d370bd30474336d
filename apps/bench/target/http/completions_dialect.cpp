#include "apps/bench/target/http/completions_dialect.hpp"

#include <fmt/format.h>

#include "apps/bench/plan/model_parameters.hpp"
#include "apps/bench/target/http/chunk_answer_reader.hpp"
#include "apps/bench/target/target_address.hpp"
#include "messages/json.hpp"

namespace troupe::bench {

namespace {

constexpr const char* openai_key = "OPENAI_API_KEY";

} // namespace

completions_dialect::completions_dialect(const target_spec& target)
    : target_{with_key(target, openai_key)}, url_{completions_address(target.url)},
      asks_for_usage_{!has_parameter(target.parameters, "stream_options")} {}

http_request completions_dialect::ask(const turn_ask&, const chat_history& said) const {
  json_buffer out;
  append_raw(out, R"({"stream":true)");
  if (asks_for_usage_)
    append_raw(out, R"(,"stream_options":{"include_usage":true})");
  if (!target_.model.empty()) {
    append_raw(out, R"(,"model":)");
    append_json(out, target_.model);
  }
  append_parameters(out, target_);
  append_raw(out, R"(,"messages":[)");
  bool first = true;
  for (const auto& each : said.messages()) {
    append_raw(out, first ? R"({"role":")" : R"(,{"role":")");
    first = false;
    append_raw(out, to_string(each.who));
    append_raw(out, R"(","content":")");
    append_raw(out, each.text);
    append_raw(out, R"("})");
  }
  append_raw(out, "]}");
  return json_post(target_, url_, std::string{view(out)});
}

std::unique_ptr<answer_reader> completions_dialect::reader(size_t keep_bytes) const {
  return std::make_unique<chunk_answer_reader>(keep_bytes);
}

bool completions_dialect::brings_history() const {
  return true;
}

std::optional<http_request> completions_dialect::stop(const std::string&) const {
  return std::nullopt;
}

http_request completions_dialect::probe() const {
  return plain_get(target_, models_address(url_));
}

/// Only a refused key is a failure: not every endpoint has a list of models.
failure completions_dialect::judge(uint16_t status, const std::string&) const {
  if (status != 401 && status != 403)
    return {};
  return {errc::config_invalid,
          fmt::format("the endpoint does not take the API key (HTTP {}): set {} or give an "
                      "Authorization header",
                      status, openai_key)};
}

} // namespace troupe::bench
