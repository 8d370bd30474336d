// The values of troupe-bench's options that are more than a number or a name. What is malformed is
// request_invalid with the reason.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/bench/plan/plan.hpp"
#include "messages/errors.hpp"

namespace troupe::bench {

/// Returns request_invalid with this text.
failure invalid_option(std::string text);

/// Reads a number above 0.
failure read_number(std::string_view text, double& out);

/// Reads "A:B", two numbers above 0.
failure read_range(std::string_view text, double& from, double& to);

/// Reads "A:B", where the first may be 0.
failure read_ramp(std::string_view text, double& from, double& to);

/// Reads "A,B,...", numbers within these bounds, and sorts them.
failure read_steps(std::string_view text, double least, double most, std::vector<double>& out);

/// Reads "SHARE:FROM-TO", "SHARE:AFTER" or "SHARE".
failure read_cancel(std::string_view text, scenario& work);

/// Reads "SHARE" or "SHARE:PAUSE".
failure read_slow(std::string_view text, scenario& work);

/// Reads "Name: value".
failure read_header(std::string_view text, headers& out);

/// Reads the name of a kind of target.
failure read_kind(const std::string& text, target_kind& out);

/// Appends the lines of a file that are not empty.
failure read_texts(const std::string& path, std::vector<std::string>& out);

/// Returns the configuration of an engine with one MCP server, called "server": a command line for
/// /bin/sh, or if that is empty a URL with header fields.
std::string mcp_config(const std::string& command, const std::string& url, const headers& fields);

} // namespace troupe::bench
