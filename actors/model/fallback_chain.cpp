#include "actors/model/fallback_chain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/ports/log_line.hpp"
#include "messages/wire/providers.hpp"

namespace troupe {

shared_model share_model(const std::shared_ptr<const chat_settings>& config,
                         const model_config& model) {
  return {config, &model};
}

std::vector<shared_model> fallbacks_of(const std::shared_ptr<const chat_settings>& config,
                                       const model_config& first) {
  std::vector<shared_model> chain;
  const auto* last = &first;
  while (!last->fallback.empty() && chain.size() + 1 < max_targets) {
    auto found = config->models.find(last->fallback);
    if (found == config->models.end())
      break;
    last = &found->second;
    auto is_known = std::ranges::any_of(chain, [&](const auto& one) { return one.get() == last; });
    if (last == &first || is_known)
      break;
    chain.push_back(share_model(config, *last));
  }
  return chain;
}

namespace {

bool has_seals(const chat_message& message) {
  return !message.provider_metadata.empty() ||
         std::ranges::any_of(message.tool_calls,
                             [](const auto& call) { return !call.provider_metadata.empty(); });
}

void tell_left_out(const model_config& model, const std::string& parameter, log_port* log) {
  log_line line;
  line.add("model", model.name).add("provider", model.provider).add("parameter", parameter);
  line.add("message",
           fmt::format("{} is left out of requests: the API of this model cannot take it. See "
                       "docs/providers.md, or take it out of the parameters",
                       parameter));
  write_log(log, log_level::warning, "parameter_left_out", line);
}

} // namespace

http_request request_for(const model_request& asked, const std::string& traceparent,
                         log_port* log) {
  if (asked.without_seals && std::ranges::none_of(asked.history, has_seals))
    return {};
  auto request = find_provider(asked.model.provider)->make_request(asked);
  if (!traceparent.empty())
    request.fields.push_back({"traceparent", traceparent});
  for (const auto& each : asked.model.lessons.take_left_out())
    tell_left_out(asked.model, each, log);
  return request;
}

} // namespace troupe
