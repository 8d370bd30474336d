#include "messages/wire/mcp/methods.hpp"

#include <algorithm>
#include <array>

#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

using offer = server_capabilities;

/// THE list of methods. A method that is not repeatable may have an effect each time it is run.
constexpr std::array methods{
    method{"tools/list", &offer::tools, true},
    method{"tools/call", &offer::tools, false},
    method{"resources/list", &offer::resources, true},
    method{"resources/templates/list", &offer::resources, true},
    method{"resources/read", &offer::resources, true},
    method{"resources/subscribe", &offer::resources_subscribe, true},
    method{"resources/unsubscribe", &offer::resources_subscribe, true},
    method{"prompts/list", &offer::prompts, true},
    method{"prompts/get", &offer::prompts, true},
    method{"completion/complete", &offer::completions, true},
    method{"logging/setLevel", &offer::logging, true},
    method{"tasks/get", &offer::tasks, true},
    method{"tasks/result", &offer::tasks, true},
    method{"tasks/list", &offer::tasks, true},
    method{"tasks/cancel", &offer::tasks, false},
    method{"ping", nullptr, true},
};

} // namespace

const method* find_method(std::string_view name) {
  const auto* found = std::find_if(methods.begin(), methods.end(),
                                   [name](const method& each) { return each.name == name; });
  return found == methods.end() ? nullptr : found;
}

std::string with_progress_token(std::string_view params, int64_t token) {
  return with_meta(params, "progressToken", std::to_string(token));
}

} // namespace troupe::mcp
