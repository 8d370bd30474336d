// API keys of a data folder, for operators.
#pragma once

#include <string>
#include <string_view>

#include "apps/engine/config.hpp"
#include "messages/store/api_key.hpp"

namespace troupe {

// All of these open the database of the folder, make it if there is none, and close it again. They
// may block, and work also while a server runs on the folder, which heeds them within about a
// second. Any thread that may wait. @return store_* when the folder can not be used

/// Makes a key. @param key owner, name, admin and limits; the rest is set
/// @param text the key itself, which is kept nowhere @return request_invalid for a bad owner
failure create_key(const std::string& folder, api_key& key, std::string& text);

/// Reads all keys, the revoked ones too. Their hashes are left out.
key_list read_keys(const std::string& folder);

/// Has a key be good for nothing from now on. @return not_found if there is none of that id
failure revoke_key(const std::string& folder, std::string_view id);

/// Has an engine of this configuration let in whoever has a new key, an admin's that is kept
/// nowhere and ends with the process; without a data folder nobody else. Any thread.
/// @param text the key itself @return internal without randomness
failure grant_own_key(engine_config& config, std::string& text);

} // namespace troupe
