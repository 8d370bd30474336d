#include "apps/demo_mcp/json_params.hpp"

#include <simdjson.h>

namespace troupe::demo {

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

} // namespace troupe::demo
