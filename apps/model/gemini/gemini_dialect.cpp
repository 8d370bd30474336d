#include "apps/model/gemini/gemini_dialect.hpp"

#include "apps/model/gemini/gemini_answer.hpp"
#include "apps/model/gemini/gemini_error.hpp"
#include "apps/model/gemini/gemini_request.hpp"

namespace troupe::scripted {

const dialect gemini_dialect{
    .check = check_gemini,
    .talk = talk_of_gemini,
    .frames = gemini_frames,
    .whole = gemini_response,
    .refuse = refuse_gemini,
    .stream_type = "text/event-stream",
    .seal_missing = "Function call is missing a thought_signature in functionCall parts. This is "
                    "required for tools to work correctly.",
};

} // namespace troupe::scripted
