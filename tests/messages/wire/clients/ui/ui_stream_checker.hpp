// Reads a UI message stream as strictly as the AI SDK's client does, and a little more so.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe::test {

/// Splits a stream into the JSON texts of its frames, the last one being "[DONE]"; a frame that is
/// not `data: ...\n\n` comes out as "BAD FRAME ...".
std::vector<std::string> ui_frames(std::string_view stream);

/// Says what is wrong with a complete stream, or "".
///
/// One start, one finish or abort, one [DONE] at the end; steps do not nest and hold all parts;
/// parts are opened before and closed after their deltas; `dynamic` stays the same within a call;
/// outputs only for known calls, at most one each; no open call but those which the client is to
/// run or to approve in the last step; no null for an optional key; no ending that makes the client
/// send the chat again; nothing that the profile does not have.
/// @param continued calls of the message that the turn continues
std::string ui_stream_fault(std::string_view stream, ui_profile profile = ui_profile::v6,
                            const std::set<std::string>& continued = {});

} // namespace troupe::test
