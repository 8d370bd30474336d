// API keys of a data folder, for operators.
#pragma once

#include <string>
#include <string_view>

#include "apps/engine/config.hpp"
#include "messages/store/api_key.hpp"

namespace troupe {

// These functions open the database of the folder, make it if there is none, and close it again. In
// place of a folder stands the address of a PostgreSQL database where that keeps the chats.
// They may block. They work also while a server uses the folder; it sees the change within about a
// second. Any thread that may wait. @return store_* when the folder cannot be used

/// Makes a key. @param key owner, name, admin and limits; the rest is set
/// @param text the key itself, which is kept nowhere @return request_invalid for a bad owner
failure create_key(const std::string& folder, api_key& key, std::string& text);

/// Reads all keys, the revoked ones too. Their hashes are left out.
key_list read_keys(const std::string& folder);

/// Revokes a key for good. @return not_found if no key has this id
failure revoke_key(const std::string& folder, std::string_view id);

/// Adds a new admin key to the configuration. The key is stored nowhere and ends with the process;
/// without a data folder it is the only one. Its holder sees error_details, unless these are set.
/// Any thread.
/// @param text the key itself @param owner whose chats it opens; "": those of single-user mode
/// @return internal without randomness
failure grant_own_key(engine_config& config, std::string& text, const std::string& owner = "local");

} // namespace troupe
