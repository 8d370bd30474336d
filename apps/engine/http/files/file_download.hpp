// The bytes of an uploaded file, at the speed of its client.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/interfaces/file_interfaces.hpp"

namespace troupe {

/// Spawns the actor that answers with the bytes of the file that the path names: as an attachment,
/// with the type that it was found to have, so that no browser shows or runs it as a page.
void spawn_file_download(http_call& in, file_store_actor store);

} // namespace troupe
