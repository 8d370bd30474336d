#include "apps/model/chat/chat_dialect.hpp"

#include "apps/model/chat/chat_completion.hpp"
#include "apps/model/chat/chat_error.hpp"
#include "apps/model/chat/chat_frames.hpp"
#include "apps/model/chat/chat_request.hpp"

namespace troupe::scripted {

const dialect chat_dialect{
    .check = check_chat,
    .talk = talk_of_chat,
    .frames = chat_frames,
    .whole = completion_body,
    .refuse = refuse_chat,
    .stream_type = "text/event-stream; charset=utf-8",
};

} // namespace troupe::scripted
