// The scripts that call tools. Each answers from the request alone: the results since the last user
// message tell how far the script is.
#pragma once

#include "apps/model/script/answer.hpp"
#include "apps/model/script/scripts.hpp"

namespace troupe::scripted {

answer call_script(const script_input& in);     ///< one call, then a text that quotes its result
answer chain_script(const script_input& in);    ///< a second call after the first one's result
answer parallel_script(const script_input& in); ///< two calls at once
answer unknown_tool_script(const script_input& in);  ///< a tool that nobody offers
answer bad_arguments_script(const script_input& in); ///< arguments that are not JSON
answer tool_error_script(const script_input& in);    ///< arguments that the tool refuses
answer loop_script(const script_input& in);          ///< one call after the other, for ever
answer told_script(const script_input& in);          ///< the calls that the user orders
answer hang_call_script(const script_input& in);     ///< a tool that does not answer
answer demo_script(const script_input& in);          ///< what a first-time user sees

} // namespace troupe::scripted
