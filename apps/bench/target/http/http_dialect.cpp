#include "apps/bench/target/http/http_dialect.hpp"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "apps/bench/target/http/completions_dialect.hpp"
#include "apps/bench/target/http/native_dialect.hpp"
#include "apps/bench/target/http/ui_dialect.hpp"

namespace troupe::bench {

namespace {

bool is_authorization(const std::string& name) {
  constexpr std::string_view wanted = "authorization";
  if (name.size() != wanted.size())
    return false;
  for (size_t i = 0; i < name.size(); ++i)
    if ((name[i] | 0x20) != wanted[i])
      return false;
  return true;
}

} // namespace

target_spec with_key(target_spec target, const char* key_variable) {
  for (const auto& each : target.fields)
    if (is_authorization(each.name))
      return target;
  const char* key = std::getenv(key_variable);
  if (key != nullptr && *key != '\0')
    target.fields.push_back({"authorization", std::string{"Bearer "} + key});
  return target;
}

http_request plain_get(const target_spec& target, std::string url) {
  http_request made;
  made.url = std::move(url);
  made.fields = target.fields;
  made.deadlines = {std::chrono::seconds{10}, {}, {}, {}};
  return made;
}

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

} // namespace troupe::bench
