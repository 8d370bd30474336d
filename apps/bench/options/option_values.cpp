#include "apps/bench/options/option_values.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/plan_text.hpp"
#include "messages/json.hpp"

namespace troupe::bench {

namespace {

bool is_number(std::string_view text, double& out) {
  const auto* last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, out);
  return error == std::errc{} && end == last;
}

failure read_share(std::string_view text, double& out) {
  if (!is_number(text, out) || !(out >= 0 && out <= 1))
    return invalid_option(fmt::format("\"{}\" is not a share from 0 to 1", text));
  return {};
}

} // namespace

failure invalid_option(std::string text) {
  return {errc::request_invalid, std::move(text)};
}

failure read_number(std::string_view text, double& out) {
  if (!is_number(text, out) || !(out > 0 && out <= 1e9))
    return invalid_option(fmt::format("\"{}\" is not a number above 0", text));
  return {};
}

failure read_ramp(std::string_view text, double& from, double& to) {
  const auto colon = text.find(':');
  double first = -1;
  if (colon == std::string_view::npos || !is_number(text.substr(0, colon), first) || first != 0)
    return read_range(text, from, to);
  from = 0;
  return read_number(text.substr(colon + 1), to);
}

failure read_range(std::string_view text, double& from, double& to) {
  auto colon = text.find(':');
  if (colon == std::string_view::npos)
    return invalid_option(fmt::format("\"{}\" is not A:B, as in 10:1000", text));
  if (auto bad = read_number(text.substr(0, colon), from))
    return bad;
  return read_number(text.substr(colon + 1), to);
}

failure read_steps(std::string_view text, double least, double most, std::vector<double>& out) {
  for (size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto each = text.substr(begin, end - begin);
    if (!is_number(each, out.emplace_back()) || !(out.back() >= least && out.back() <= most))
      return invalid_option(
          fmt::format("\"{}\" is not a number from {:g} to {:g}", each, least, most));
    begin = end + 1;
  }
  std::sort(out.begin(), out.end());
  return {};
}

failure read_cancel(std::string_view text, scenario& work) {
  auto colon = text.find(':');
  if (auto bad = read_share(text.substr(0, colon), work.cancel_share))
    return bad;
  if (colon == std::string_view::npos)
    return {};
  auto when = text.substr(colon + 1);
  auto dash = when.find('-');
  if (auto bad = parse_duration(when.substr(0, dash), work.cancel_from))
    return bad;
  work.cancel_to = work.cancel_from;
  if (dash != std::string_view::npos)
    if (auto bad = parse_duration(when.substr(dash + 1), work.cancel_to))
      return bad;
  return work.cancel_to < work.cancel_from ? invalid_option("its second time is before its first")
                                           : failure{};
}

failure read_slow(std::string_view text, scenario& work) {
  auto colon = text.find(':');
  if (auto bad = read_share(text.substr(0, colon), work.slow_share))
    return bad;
  return colon == std::string_view::npos ? failure{}
                                         : parse_duration(text.substr(colon + 1), work.slow_pause);
}

failure read_header(std::string_view text, headers& out) {
  auto colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos)
    return invalid_option("it is not 'Name: value'");
  auto value = text.substr(colon + 1);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  out.push_back({std::string{text.substr(0, colon)}, std::string{value}});
  return {};
}

failure read_kind(const std::string& text, target_kind& out) {
  std::string known;
  for (auto each : all_targets) {
    if (to_string(each) == text) {
      out = each;
      return {};
    }
    known += (known.empty() ? "" : ", ") + std::string{to_string(each)};
  }
  return invalid_option(fmt::format("\"{}\" is none of {}", text, known));
}

failure read_texts(const std::string& path, std::vector<std::string>& out) {
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);)
    if (!line.empty())
      out.push_back(line);
  if (out.empty())
    return invalid_option("there is no line in " + path);
  return {};
}

std::string mcp_config(const std::string& command, const std::string& url, const headers& fields) {
  json_buffer out;
  append_raw(out, R"({"mcpServers":{"server":{)");
  if (!command.empty()) {
    append_raw(out, R"("command":"/bin/sh","args":["-c",)");
    append_json(out, command);
    append_raw(out, "]");
  } else {
    append_raw(out, R"("url":)");
    append_json(out, url);
    append_raw(out, R"(,"headers":{)");
    for (size_t i = 0; i < fields.size(); ++i) {
      append_raw(out, i > 0 ? "," : "");
      append_json(out, fields[i].name);
      append_raw(out, ":");
      append_json(out, fields[i].value);
    }
    append_raw(out, "}");
  }
  append_raw(out, "}}}");
  return std::string{view(out)};
}

} // namespace troupe::bench
