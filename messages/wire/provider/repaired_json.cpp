#include "messages/wire/provider/repaired_json.hpp"

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe {

repaired_json::repaired_json(std::string_view text) {
  append_utf8(bytes_, text);
  size_ = bytes_.size();
  bytes_.append(json_padding, '\0');
}

failure no_json(std::string_view text) {
  return {errc::model_answer_invalid,
          fmt::format("The model sent what is no JSON: {}", excerpt(text))};
}

} // namespace troupe
