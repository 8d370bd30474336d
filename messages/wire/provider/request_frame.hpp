// The frame that all providers' requests share: address, header fields, deadlines.
#pragma once

#include <string>
#include <string_view>

#include "messages/http.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Returns whether the answer is to come as a stream.
bool streams(const model_request& asked);

/// Returns the name that the provider knows the model by.
std::string_view model_name(const model_config& model);

/// Returns whether there is a field of that name, in any case.
bool has_field(const headers& fields, std::string_view name);

/// Returns `base` with the method's path after its own; a query stays after both, since some
/// gateways want one. A path that the base already ends with is not added again.
std::string method_url(std::string_view base, std::string_view path);

/// Returns a POST request with JSON: content-type, accept, the key's field, then the headers of the
/// model's configuration, which replace fields of the same name.
/// @param key field with the key in it; without a name: none
http_request json_request(const model_request& asked, std::string url, header key,
                          std::string body);

} // namespace troupe
