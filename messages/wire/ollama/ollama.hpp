// Ollama's own API, of its servers and of ollama.com.
#pragma once

#include <string>
#include <string_view>

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Returns the URL of a server without the path of its API. OLLAMA_HOST has often neither scheme
/// nor port ("192.168.1.7", ":11500"); as 0.0.0.0 or [::] it says where a server listens, and a
/// client on that machine then takes the loopback.
/// @param written a URL, or what OLLAMA_HOST has; "" gives the default
std::string ollama_address(std::string_view written);

/// The row of providers() for POST {base_url}/api/chat.
extern const provider ollama;

} // namespace troupe
