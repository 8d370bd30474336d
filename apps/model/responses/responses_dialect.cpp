#include "apps/model/responses/responses_dialect.hpp"

#include "apps/model/chat/chat_error.hpp"
#include "apps/model/responses/responses_frames.hpp"
#include "apps/model/responses/responses_items.hpp"
#include "apps/model/responses/responses_request.hpp"

namespace troupe::scripted {

const dialect responses_dialect{
    .check = check_responses,
    .talk = talk_of_responses,
    .frames = responses_frames,
    .whole = responses_body,
    .refuse = refuse_chat,
    .stream_type = "text/event-stream; charset=utf-8",
    .seal_missing = "input: a function_call was provided without its required 'reasoning' item.",
};

} // namespace troupe::scripted
