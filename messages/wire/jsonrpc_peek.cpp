#include "messages/wire/jsonrpc_peek.hpp"

#include <simdjson.h>

namespace troupe::jsonrpc {

namespace {

namespace od = simdjson::ondemand;

thread_local od::parser parser;

/// Adds the id if `message` is a response. Stops reading as soon as that is known.
void look_at(od::object message, std::vector<int64_t>& out) {
  int64_t id = 0;
  bool has_id = false;
  bool has_outcome = false;
  for (auto field : message) {
    std::string_view key;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS || key == "method")
      return;
    if (key == "id") {
      if (field.value().get_int64().get(id) != simdjson::SUCCESS)
        return;
      has_id = true;
    } else if (key == "result" || key == "error") {
      has_outcome = true;
    }
    if (has_id && has_outcome) {
      out.push_back(id);
      return;
    }
  }
}

} // namespace

std::vector<int64_t> response_ids(std::string_view text) {
  std::vector<int64_t> out;
  const simdjson::padded_string padded{text};
  od::document document;
  od::object message;
  od::array batch;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS)
    return out;
  if (document.get_object().get(message) == simdjson::SUCCESS) {
    look_at(message, out);
  } else if (document.get_array().get(batch) == simdjson::SUCCESS) {
    for (auto each : batch)
      if (each.get_object().get(message) == simdjson::SUCCESS)
        look_at(message, out);
  }
  return out;
}

int64_t cancelled_request(std::string_view text) {
  const simdjson::padded_string padded{text};
  od::document document;
  int64_t id = 0;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document["params"]["requestId"].get_int64().get(id) != simdjson::SUCCESS)
    return 0;
  return id;
}

} // namespace troupe::jsonrpc
