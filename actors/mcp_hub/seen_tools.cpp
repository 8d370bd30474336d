#include "actors/mcp_hub/seen_tools.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/json/json_tree.hpp"

namespace troupe {

namespace {

/// Schemas with more values are compared byte for byte.
constexpr size_t most_values = 100'000;

std::string digest_of(std::string_view text) {
  constexpr size_t kept_bytes = 16;
  std::array<unsigned char, 32> hash{};
  if (text.empty())
    return {};
  if (EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc{}; // nothing but memory can be missing
  return fmt::format("{:02x}", fmt::join(hash.begin(), hash.begin() + kept_bytes, ""));
}

/// The order of members means nothing, and some servers change it with each start.
void sort_members(json_node& node) {
  if (node.kind == json_kind::object)
    std::ranges::stable_sort(node.children, {}, &json_node::key);
  for (auto& each : node.children)
    sort_members(each);
}

std::string digest_of(const raw_json& value) {
  auto tree = read_json_tree(value.text, most_values);
  if (!tree)
    return digest_of(std::string_view{value.text});
  sort_members(*tree);
  json_buffer text;
  append_json(text, *tree);
  return digest_of(view(text));
}

/// Returns the names of the parts that differ.
std::string difference(const tool_digests& a, const tool_digests& b) {
  std::string out;
  for (size_t i = 0; i < tool_parts.size(); ++i)
    if (a[i] != b[i])
      out.append(out.empty() ? "" : ", ").append(tool_parts[i]);
  return out;
}

} // namespace

tool_digests digests_of(const mcp::tool& tool) {
  return {digest_of(std::string_view{tool.title}), digest_of(std::string_view{tool.description}),
          digest_of(tool.input_schema), digest_of(tool.output_schema), digest_of(tool.annotations)};
}

seen_tools::news seen_tools::take(const server_tools& offered) {
  news out;
  std::set<std::string_view> listed;
  for (const auto& tool : offered.tools) {
    if (!listed.insert(tool.name).second || tool.name.size() > most_name_bytes)
      continue;
    auto known = tools_.find(tool.name);
    if (known == tools_.end() && tools_.size() >= most)
      continue;
    auto now = digests_of(tool);
    if (known == tools_.end()) {
      tools_.emplace(tool.name, entry{now, now});
      out.first = true;
    } else if (auto& seen = known->second; seen.now != now) {
      seen.now = std::move(now);
      out.changed.push_back({tool.name, difference(seen.first, seen.now)});
    }
  }
  return out;
}

bool seen_tools::holds(std::string_view tool) const {
  const auto found = tools_.find(tool);
  return found != tools_.end() && found->second.first == found->second.now;
}

std::string seen_tools::json() const {
  json_buffer out;
  out.push_back('{');
  for (const auto& [name, seen] : tools_) {
    if (out.size() > 1)
      out.push_back(',');
    append_json(out, name);
    append_raw(out, ":[");
    for (const auto& each : seen.first) {
      if (&each != seen.first.data())
        out.push_back(',');
      append_json(out, each);
    }
    out.push_back(']');
  }
  out.push_back('}');
  return std::string{view(out)};
}

void seen_tools::read(std::string_view json) {
  tools_.clear();
  for_each_member(json, [this](std::string_view name, std::string_view parts) {
    tool_digests first;
    size_t count = 0;
    for_each_element(parts, [&](std::string_view part) {
      if (count < first.size())
        first[count++] = json_string(part);
      return true;
    });
    if (count == first.size() && tools_.size() < most)
      tools_.emplace(name, entry{first, first});
    return true;
  });
}

} // namespace troupe
