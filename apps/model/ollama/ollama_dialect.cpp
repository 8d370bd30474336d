#include "apps/model/ollama/ollama_dialect.hpp"

#include "apps/model/ollama/ollama_chat_answer.hpp"
#include "apps/model/ollama/ollama_chat_request.hpp"

namespace troupe::scripted {

const dialect ollama_dialect{
    .check = check_ollama,
    .talk = talk_of_ollama,
    .frames = ollama_frames,
    .whole = ollama_body,
    .refuse = refuse_ollama,
    .stream_type = "application/x-ndjson",
};

} // namespace troupe::scripted
