#include "actors/model/fallback_chain.hpp"

#include "messages/wire/providers.hpp"

#include <algorithm>

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

} // namespace

http_request request_for(const model_request& asked, const std::string& traceparent) {
  if (asked.without_seals && std::ranges::none_of(asked.history, has_seals))
    return {};
  auto request = find_provider(asked.model.provider)->make_request(asked);
  if (!traceparent.empty())
    request.fields.push_back({"traceparent", traceparent});
  return request;
}

} // namespace troupe
