// One log line per HTTP request, to find out what a client does.
#pragma once

#include <memory>
#include <string_view>

#include "apps/engine/config.hpp"
#include "messages/http.hpp"
#include "messages/ports/client_ports.hpp"

namespace troupe {

/// Returns a response that logs, with level debug, the request and the status it gets, and passes
/// everything on; or, when nobody takes such lines, the response itself. Header fields are not
/// logged: they hold keys. @param owner of the request; empty: single-user mode
std::shared_ptr<http_response> logged(const engine_config& config, const server_request& request,
                                      std::string_view owner,
                                      std::shared_ptr<http_response> response);

} // namespace troupe
