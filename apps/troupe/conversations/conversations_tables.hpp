// Answers about conversations for people: tables, and a transcript. Times are local; what could
// steer a terminal is left out of all texts.
#pragma once

#include <string_view>

namespace troupe {

/// Prints {conversations, next}.
void print_conversations(std::string_view body);

/// Prints {hits, next}; on a terminal the words that were looked for are bold.
void print_hits(std::string_view body);

/// Prints what GET /v1/conversations/{id} answers.
void print_transcript(std::string_view body);

/// Prints {model, mcpServers}.
void print_overrides(std::string_view body);

/// Prints {usage, total}.
void print_usage(std::string_view body);

} // namespace troupe
