// Answers of the HTTP interface as tables for people.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// Returns whether all enabled servers of {"servers":[...]} are connected.
bool all_connected(std::string_view body);

/// Says on stderr which enabled servers of {"servers":[...]} are not connected, and why.
/// @param only of this server; "" = of all @return how many
size_t complain_of_servers(std::string_view body, std::string_view only);

/// Says on stderr when {"tools":[...]} holds more than most model providers take.
void warn_of_many_tools(std::string_view body);

/// Prints {"servers":[...]}.
void print_servers(std::string_view body);

/// Prints the log of one server's connection.
void print_log(std::string_view body);

void print_tools(std::string_view body);
void print_resources(std::string_view body);
void print_prompts(std::string_view body);

/// Prints a ReadResourceResult: texts as they are, others as a note.
void print_contents(std::string_view body);

/// Prints a GetPromptResult, one message after the other.
void print_messages(std::string_view body);

/// Prints a CompleteResult, a value per line.
void print_completion(std::string_view body);

/// Prints {"attachments":[...]}.
void print_attachments(std::string_view body);

} // namespace troupe
