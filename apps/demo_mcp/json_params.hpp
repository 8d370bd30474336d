// Reads single values out of the params of a request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace troupe::demo {

/// The params of one request, parsed. Places are JSON pointers: "/arguments/message".
class json_params {
public:
  /// @param text JSON text; what is no JSON has no values
  explicit json_params(std::string_view text);
  ~json_params();
  json_params(const json_params&) = delete;
  json_params& operator=(const json_params&) = delete;

  /// Each returns false, and leaves `out` as it is, when there is no such value of that type.
  bool get(std::string_view place, std::string& out) const;
  bool get(std::string_view place, double& out) const;
  bool get(std::string_view place, uint64_t& out) const;

  /// Returns whether there is any value but null.
  bool has(std::string_view place) const;

  /// Returns the value as JSON text, "" if there is none.
  std::string raw(std::string_view place) const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe::demo
