// Paths as programs for other servers ask for them.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the path that a client of OpenAI's or Anthropic's API means, where its base URL has a
/// `/v1` too few or too many, or a slash too many: "/chat/completions" and
/// "/v1/v1/chat/completions/" mean "/v1/chat/completions". "" for all other paths, and for those
/// that are right.
std::string meant_client_path(std::string_view path);

} // namespace troupe
