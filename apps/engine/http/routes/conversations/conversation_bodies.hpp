// Bodies and queries of /v1/conversations, checked: every failure names the member that is wrong.
#pragma once

#include <string>
#include <string_view>

#include "apps/engine/conversations.hpp"
#include "messages/errors.hpp"

namespace troupe {

// All return request_invalid, or no error. In bodies `null` is as good as absent, and unknown
// members are errors.

/// {title}
failure parse_title(std::string_view body, std::string& title);

/// Nothing, or {messageId?, id?, title?}
failure parse_branch(std::string_view body, branch_options& out);

/// limit=&cursor=
failure parse_list(std::string_view query, list_conversations& out);

/// q=&limit=&cursor=
failure parse_search(std::string_view query, search_conversations& out);

/// from=&to=
failure parse_usage(std::string_view query, usage_query& out);

} // namespace troupe
