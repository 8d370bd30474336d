// The native event stream: the same JSON as SSE frames or as lines.
#pragma once

#include "messages/chat/events.hpp"
#include "messages/http.hpp"
#include "messages/json.hpp"

namespace troupe {

/// The head of a native SSE answer.
const headers& native_stream_head();

/// Appends one event as a JSON object:
/// {"type":"TEXT","seq":3,"sessionId":"...","turnId":"...","timeUs":123, ...members of the event}
void append_event_json(json_buffer& out, const event_batch& batch, size_t index);

/// Appends all events as SSE: `event:` the name, `id:` the sequence number, `data:` the JSON above.
void append_native_sse(json_buffer& out, const event_batch& batch);

} // namespace troupe
