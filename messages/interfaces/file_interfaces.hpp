// The typed actor interface of the store of uploaded files, one line of doc per message.
#pragma once

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "messages/interfaces/type_ids.hpp"
#include "messages/store/chat_file_messages.hpp"
#include "messages/store/file_messages.hpp"
#include "messages/store/upload_messages.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::begin_file)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::file_bytes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::end_file)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::file_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::file_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::list_files)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::file_page)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::read_file_piece)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::file_piece)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::read_chat_files)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::file_contents)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::chat_files_news)

namespace troupe {

/// Keeps the files that owners upload; detached, since it reads and writes the disk. It works on
/// one machine's disk, so its messages have no form for other nodes.
using file_store_actor = caf::typed_actor<
    // An upload: its beginning, the bytes of its body, its end.
    caf::reacts_to<begin_file>, caf::reacts_to<file_bytes>,
    // Answered when the file is kept, or with why it is not.
    caf::replies_to<end_file>::with<file_answer>,
    // Finds or removes a file.
    caf::replies_to<file_request>::with<file_answer>,
    // Files of an owner.
    caf::replies_to<list_files>::with<file_page>,
    // Bytes of a file.
    caf::replies_to<read_file_piece>::with<file_piece>,
    // Files of a chat, for its model.
    caf::replies_to<read_chat_files>::with<file_contents>,
    // A chat is gone, another one has its files, too, or it has come with some.
    caf::reacts_to<chat_files_news>,
    // INTERNAL: time to remove what has expired.
    caf::reacts_to<atom::tick>>;

} // namespace troupe
