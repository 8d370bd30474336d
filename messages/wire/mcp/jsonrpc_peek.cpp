#include "messages/wire/mcp/jsonrpc_peek.hpp"

#include "messages/wire/json/json_source.hpp"

namespace troupe::jsonrpc {

namespace {

/// Adds the id if `message` is a response. Stops reading as soon as that is known.
void look_at(std::string_view message, std::vector<int64_t>& out) {
  std::optional<int64_t> id;
  bool has_outcome = false;
  for_each_member(message, [&](std::string_view key, std::string_view value) {
    if (key == "id")
      id = id_of(value);
    has_outcome |= key == "result" || key == "error";
    if (id && has_outcome)
      out.push_back(*id);
    return key != "method" && !(key == "id" && !id) && !(id && has_outcome);
  });
}

} // namespace

std::vector<int64_t> response_ids(std::string_view text) {
  std::vector<int64_t> out;
  const auto source = json_source::unchecked(text);
  look_at(source.root(), out);
  for_each_element(source.root(), [&out](std::string_view each) {
    look_at(each, out);
    return true;
  });
  return out;
}

int64_t cancelled_request(std::string_view text) {
  const auto source = json_source::unchecked(text);
  std::string_view params, id;
  read_members(source.root(), {{"params", &params}});
  read_members(params, {{"requestId", &id}});
  return integer_of(id).value_or(0);
}

} // namespace troupe::jsonrpc
