#include "apps/demo_mcp/demo_tools.hpp"

#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <simdjson.h>

namespace troupe::demo {

// -- json params ----------------------------------------------------------------------------------

struct json_params::impl {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  bool is_valid = false;

  template <class T>
  bool get(std::string_view place, T& out) const {
    return is_valid && root.at_pointer(place).get(out) == simdjson::SUCCESS;
  }
};

json_params::json_params(std::string_view text) : impl_{std::make_unique<impl>()} {
  impl_->is_valid =
      impl_->parser.parse(text.data(), text.size()).get(impl_->root) == simdjson::SUCCESS;
}

json_params::~json_params() = default;

bool json_params::get(std::string_view place, std::string& out) const {
  std::string_view text;
  if (!impl_->get(place, text))
    return false;
  out = text;
  return true;
}

bool json_params::get(std::string_view place, double& out) const {
  return impl_->get(place, out);
}

bool json_params::get(std::string_view place, uint64_t& out) const {
  return impl_->get(place, out);
}

bool json_params::has(std::string_view place) const {
  simdjson::dom::element value;
  return impl_->get(place, value) && !value.is_null();
}

std::string json_params::raw(std::string_view place) const {
  simdjson::dom::element value;
  return impl_->get(place, value) ? simdjson::minify(value) : std::string{};
}

// -- demo tools -----------------------------------------------------------------------------------

namespace {

constexpr uint64_t longest_sleep_ms = 24ULL * 3600 * 1000;
constexpr uint64_t most_steps = 100'000;
constexpr uint64_t most_bytes = 256ULL * 1024 * 1024;

tool_outcome say(std::string text) {
  tool_outcome out;
  out.text = std::move(text);
  return out;
}

tool_outcome refuse(std::string text) {
  auto out = say(std::move(text));
  out.is_error = true;
  return out;
}

tool_outcome echo(const json_params& params) {
  std::string message;
  if (!params.get("/arguments/message", message))
    return refuse("echo needs a string 'message'");
  return say("Echo: " + message);
}

tool_outcome get_sum(const json_params& params) {
  double a = 0;
  double b = 0;
  if (!params.get("/arguments/a", a) || !params.get("/arguments/b", b))
    return refuse("get-sum needs two numbers, 'a' and 'b'");
  return say(fmt::format("The sum of {} and {} is {}.", a, b, a + b));
}

tool_outcome sleep(const json_params& params) {
  uint64_t time = 0;
  if (!params.get("/arguments/milliseconds", time) || time > longest_sleep_ms)
    return refuse("sleep needs an integer 'milliseconds', at most a day");
  auto out = say(fmt::format("Slept for {} ms.", time));
  out.interval = std::chrono::milliseconds{time};
  return out;
}

tool_outcome fail(const json_params& params) {
  std::string message = "failed, as it was asked to";
  params.get("/arguments/message", message);
  return refuse(std::move(message));
}

tool_outcome hang(const json_params&) {
  tool_outcome out;
  out.answers = false;
  return out;
}

tool_outcome crash(const json_params&) {
  std::exit(1);
}

tool_outcome progress(const json_params& params) {
  uint64_t steps = 0;
  uint64_t interval = 0;
  if (!params.get("/arguments/steps", steps) || steps > most_steps)
    return refuse("progress needs an integer 'steps', at most 100000");
  if (params.has("/arguments/milliseconds") &&
      (!params.get("/arguments/milliseconds", interval) || interval > longest_sleep_ms))
    return refuse("'milliseconds' must be an integer, at most a day");
  auto out = say(fmt::format("Took {} steps.", steps));
  out.steps = steps;
  out.interval = std::chrono::milliseconds{interval};
  return out;
}

tool_outcome big(const json_params& params) {
  uint64_t bytes = 0;
  if (!params.get("/arguments/bytes", bytes) || bytes > most_bytes)
    return refuse("big needs an integer 'bytes', at most 268435456");
  return say(std::string(bytes, 'x'));
}

constexpr std::array rows{
    demo_tool{
        "echo", "Repeats the message.",
        R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})",
        echo},
    demo_tool{"get-sum", "Adds two numbers.",
              R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},)"
              R"("required":["a","b"]})",
              get_sum},
    demo_tool{"sleep", "Answers after a while; can be cancelled.",
              R"({"type":"object","properties":{"milliseconds":{"type":"integer","minimum":0}},)"
              R"("required":["milliseconds"]})",
              sleep},
    demo_tool{
        "fail", "Reports an error.",
        R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})",
        fail},
    demo_tool{"hang", "Never answers; can be cancelled.", R"({"type":"object","properties":{}})",
              hang},
    demo_tool{"crash", "Ends the server with exit code 1.", R"({"type":"object","properties":{}})",
              crash},
    demo_tool{
        "progress", "Reports its progress step by step.",
        R"({"type":"object","properties":{"steps":{"type":"integer","minimum":0},"milliseconds":)"
        R"({"type":"integer","minimum":0,"description":"per step"}},"required":["steps"]})",
        progress},
    demo_tool{"big", "Answers with so many bytes of text.",
              R"({"type":"object","properties":{"bytes":{"type":"integer","minimum":0}},)"
              R"("required":["bytes"]})",
              big},
};

} // namespace

std::span<const demo_tool> all_tools() {
  return rows;
}

const demo_tool* find_tool(std::string_view name) {
  for (const auto& each : all_tools())
    if (each.name == name)
      return &each;
  return nullptr;
}

} // namespace troupe::demo
