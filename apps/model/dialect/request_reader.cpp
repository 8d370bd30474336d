#include "apps/model/dialect/request_reader.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include "apps/model/dialect/request_fields.hpp"

namespace troupe::scripted {

struct request_reader::impl {
  simdjson::dom::parser parser;
  object root;
  const dialect* spoken = nullptr;
  bool is_json = false;
};

request_reader::request_reader() : impl_{std::make_unique<impl>()} {}

request_reader::~request_reader() = default;

failure request_reader::read(std::string& body, const dialect& spoken, chat_call& out) {
  body.reserve(body.size() + simdjson::SIMDJSON_PADDING); // spares the parser a copy
  impl_->spoken = &spoken;
  element root;
  const auto wrong = impl_->parser.parse(body.data(), body.size(), false).get(root);
  impl_->is_json = wrong == simdjson::SUCCESS;
  if (!impl_->is_json)
    return invalid_request(
        fmt::format("the body is not valid JSON: {}", simdjson::error_message(wrong)));
  if (root.get(impl_->root) != simdjson::SUCCESS)
    return invalid_request("the body must be a JSON object");
  return spoken.check(impl_->root, out);
}

bool request_reader::is_json() const noexcept {
  return impl_->is_json;
}

conversation request_reader::talk() const {
  return impl_->spoken->talk(impl_->root);
}

} // namespace troupe::scripted
