#include "messages/wire/json_text.hpp"

#include <simdjson.h>

namespace troupe {

bool is_json_object(std::string_view text) {
  thread_local simdjson::dom::parser parser;
  simdjson::dom::element root;
  return parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS && root.is_object();
}

} // namespace troupe
