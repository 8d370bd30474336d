#include "apps/model/anthropic/anthropic_dialect.hpp"

#include "apps/model/anthropic/anthropic_answer.hpp"
#include "apps/model/anthropic/anthropic_request.hpp"

namespace troupe::scripted {

const dialect anthropic_dialect{
    .check = check_anthropic,
    .talk = talk_of_anthropic,
    .frames = anthropic_frames,
    .whole = anthropic_message,
    .refuse = refuse_anthropic,
    .stream_type = "text/event-stream; charset=utf-8",
    .needs_header = "anthropic-version",
    .seal_missing = "messages: Expected `thinking` or `redacted_thinking`, but found `tool_use`. "
                    "When `thinking` is enabled, a final `assistant` message must start with a "
                    "thinking block.",
};

} // namespace troupe::scripted
