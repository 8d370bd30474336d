// The text of API keys, "tk_ID_SECRET", and the hash that is stored of a key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "messages/store/api_key.hpp"

namespace troupe {

/// A key taken apart; views into its text.
struct key_parts {
  std::string_view id;     ///< 8 to 32 of [a-z0-9]
  std::string_view secret; ///< 43 of base64url: 32 bytes
};

/// Returns the parts of a key, or nothing if the text has not its form.
std::optional<key_parts> split_key(std::string_view text);

/// Makes a new key from the system's random source: sets `out.id` and `out.hash`.
/// @param text the key itself, which is nowhere else @return internal without randomness
failure make_key(api_key& out, std::string& text);

/// Returns the SHA-256 of a secret, 64 hexadecimal digits.
std::string hash_secret(std::string_view secret);

/// Returns whether it is the secret of that hash; takes the same time whatever differs.
bool is_secret_of(std::string_view secret, std::string_view hash);

/// Returns request_invalid unless the text can be an owner: 1 to 64 of [A-Za-z0-9_.@-].
failure check_owner(std::string_view owner);

} // namespace troupe
