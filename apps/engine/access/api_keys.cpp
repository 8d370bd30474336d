#include "apps/engine/access/api_keys.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace troupe {

namespace {

using bytes = std::span<const unsigned char>;

constexpr std::string_view prefix = "tk_";
constexpr std::string_view id_digits = "0123456789abcdefghijklmnopqrstuv";
constexpr std::string_view base64url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr size_t id_bytes = 12;
constexpr size_t min_id_bytes = 8;
constexpr size_t max_id_bytes = 32;
constexpr size_t secret_bytes = 32;
constexpr size_t secret_digits = 43; // of base64url, without padding
constexpr size_t max_owner_bytes = 64;
constexpr size_t hash_bytes = 32;

bool is_lower_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_alphanumeric(char c) {
  return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z');
}

std::string base64url(bytes in) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (auto each : in) {
    bits = (bits << 8) | each;
    for (count += 8; count >= 6; count -= 6)
      out.push_back(base64url_digits[(bits >> (count - 6)) & 63]);
  }
  if (count > 0)
    out.push_back(base64url_digits[(bits << (6 - count)) & 63]);
  return out;
}

std::string hexadecimal(bytes in) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (auto each : in) {
    out.push_back(digits[each >> 4]);
    out.push_back(digits[each & 15]);
  }
  return out;
}

} // namespace

std::optional<key_parts> split_key(std::string_view text) {
  if (!text.starts_with(prefix))
    return {};
  text.remove_prefix(prefix.size());
  auto end = text.find('_'); // an id has none, a secret may
  if (end == std::string_view::npos || end < min_id_bytes || end > max_id_bytes)
    return {};
  key_parts out{text.substr(0, end), text.substr(end + 1)};
  auto is_digit = [](char c) { return base64url_digits.find(c) != std::string_view::npos; };
  if (out.secret.size() != secret_digits ||
      !std::all_of(out.id.begin(), out.id.end(), is_lower_alphanumeric) ||
      !std::all_of(out.secret.begin(), out.secret.end(), is_digit))
    return {};
  return out;
}

failure make_key(api_key& out, std::string& text) {
  std::array<unsigned char, secret_bytes + id_bytes> random{};
  if (::getentropy(random.data(), random.size()) != 0)
    return {errc::internal, "The system has no randomness for a key."};
  auto secret = base64url(bytes{random}.first(secret_bytes));
  out.id.clear();
  for (auto each : bytes{random}.last(id_bytes))
    out.id.push_back(id_digits[each & 31]);
  out.hash = hash_secret(secret);
  text = std::string{prefix} + out.id + "_" + secret;
  OPENSSL_cleanse(random.data(), random.size());
  return {};
}

std::string hash_secret(std::string_view secret) {
  std::array<unsigned char, hash_bytes> hash{};
  EVP_Digest(secret.data(), secret.size(), hash.data(), nullptr, EVP_sha256(), nullptr);
  return hexadecimal(hash);
}

bool is_secret_of(std::string_view secret, std::string_view hash) {
  const auto own = hash_secret(secret);
  return hash.size() == own.size() && CRYPTO_memcmp(own.data(), hash.data(), own.size()) == 0;
}

failure check_owner(std::string_view owner) {
  auto fits = [](char c) {
    return is_alphanumeric(c) || std::string_view{"_.@-"}.find(c) != std::string_view::npos;
  };
  if (!owner.empty() && owner.size() <= max_owner_bytes &&
      std::all_of(owner.begin(), owner.end(), fits))
    return {};
  return {errc::request_invalid, "an owner must be 1 to 64 of A-Z, a-z, 0-9, _ . @ -"};
}

} // namespace troupe
