#include "messages/wire/json/json_fields.hpp"

namespace troupe {

std::string json_misfit::text(std::string_view root) const {
  return fmt::format("{} {}", place.empty() ? root : std::string_view{place}, what);
}

json_misfit json_misfit::inside(std::string_view outer) && {
  place = fmt::format("{}{}{}", outer, place.empty() || place.front() == '[' ? "" : ".", place);
  return std::move(*this);
}

json_misfit read_json(json_value in, std::string& out) {
  if (in.kind() == json_kind::string)
    out = json_string(in);
  else if (in.kind() != json_kind::null)
    return {"", "must be a string"};
  return {};
}

json_misfit read_json(json_value in, bool& out) {
  if (in.kind() == json_kind::boolean)
    out = std::string_view{in} == "true";
  else if (in.kind() != json_kind::null)
    return {"", "must be true or false"};
  return {};
}

} // namespace troupe
