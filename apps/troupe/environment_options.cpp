#include "apps/troupe/environment_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>

namespace troupe {

namespace {

bool is_given(CLI::App& sub, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) {
    const auto* option = sub.get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  });
}

/// @return whether the variable has set it
bool take(CLI::App& sub, const char* name, const char* variable) {
  auto* option = sub.get_option_no_throw(name);
  const char* value = std::getenv(variable);
  if (option == nullptr || value == nullptr || *value == '\0')
    return false;
  option->add_result(std::string{value});
  option->run_callback();
  return true;
}

} // namespace

void take_environment(CLI::App& sub) {
  const auto here = is_given(sub, {"--server", "--config", "--data", "--model-url", "--owner"});
  if (!here && take(sub, "--server", "TROUPE_SERVER"))
    return;
  if (!is_given(sub, {"--server", "--config"}))
    take(sub, "--config", "TROUPE_CONFIG");
}

} // namespace troupe
