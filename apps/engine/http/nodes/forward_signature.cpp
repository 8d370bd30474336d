#include "apps/engine/http/nodes/forward_signature.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

namespace troupe {

namespace {

constexpr size_t sha256_bytes = 32;
using sha256 = std::array<unsigned char, sha256_bytes>;

/// Begins every text that is signed: another order or set of parts gets another one.
constexpr std::string_view form = "troupe-forward-1\n";

struct free_context {
  void operator()(EVP_MAC_CTX* context) const noexcept { EVP_MAC_CTX_free(context); }
};
using mac_context = std::unique_ptr<EVP_MAC_CTX, free_context>;

std::string hexadecimal_of(const sha256& in) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * in.size());
  for (auto each : in) {
    out.push_back(digits[each >> 4]);
    out.push_back(digits[each & 15]);
  }
  return out;
}

/// With its length each part has one reading, whatever bytes are in it.
void append_part(std::string& out, std::string_view part) {
  out.append(std::to_string(part.size())).push_back(':');
  out.append(part).push_back('\n');
}

std::string signed_text(const forward_stamp& what) {
  std::string out{form};
  for (auto part : {what.sender, what.sent, what.method, what.target, what.owner, what.limit,
                    what.to, what.body})
    append_part(out, part);
  return out;
}

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t out = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc{} && stop == end ? std::optional{out} : std::nullopt;
}

} // namespace

/// HMAC that has taken its key in; each signature is made with a copy.
struct forward_signature::keyed {
  keyed() = default;
  ~keyed() { EVP_MAC_CTX_free(context); }
  keyed(const keyed&) = delete;
  keyed& operator=(const keyed&) = delete;

  EVP_MAC_CTX* context = nullptr;
};

forward_signature::forward_signature(std::string_view secret) : key_(std::make_unique<keyed>()) {
  std::unique_ptr<EVP_MAC, void (*)(EVP_MAC*)> mac{EVP_MAC_fetch(nullptr, "HMAC", nullptr),
                                                   EVP_MAC_free};
  if (mac)
    key_->context = EVP_MAC_CTX_new(mac.get());
  std::string digest_name{"SHA256"};
  const std::array<OSSL_PARAM, 2> how{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name.data(), 0),
      OSSL_PARAM_construct_end()};
  const auto* bytes = reinterpret_cast<const unsigned char*>(secret.data());
  if (key_->context == nullptr ||
      EVP_MAC_init(key_->context, bytes, secret.size(), how.data()) != 1)
    throw std::runtime_error{"libcrypto has no HMAC-SHA256"};
}

forward_signature::~forward_signature() = default;

std::string forward_signature::of(const forward_stamp& what) const {
  const auto text = signed_text(what);
  const mac_context context{EVP_MAC_CTX_dup(key_->context)};
  sha256 out{};
  size_t size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (!context || EVP_MAC_update(context.get(), bytes, text.size()) != 1 ||
      EVP_MAC_final(context.get(), out.data(), &size, out.size()) != 1 || size != out.size())
    return {};
  return hexadecimal_of(out);
}

forward_verdict forward_signature::judge(const forward_stamp& what, std::string_view signature,
                                         std::chrono::milliseconds now) const {
  if (signature.empty())
    return forward_verdict::missing;
  const auto right = of(what);
  if (right.size() != signature.size() ||
      CRYPTO_memcmp(right.data(), signature.data(), right.size()) != 0)
    return forward_verdict::wrong;
  const auto sent = whole_number(what.sent);
  const auto most = std::chrono::milliseconds{longest_age}.count();
  const auto is_near = sent && *sent >= now.count() - most && *sent <= now.count() + most;
  return is_near ? forward_verdict::good : forward_verdict::old;
}

std::string forward_signature::digest(std::string_view body) {
  sha256 out{};
  unsigned int size = 0;
  if (EVP_Digest(body.data(), body.size(), out.data(), &size, EVP_sha256(), nullptr) != 1)
    return {};
  return hexadecimal_of(out);
}

} // namespace troupe
