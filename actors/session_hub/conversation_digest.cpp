#include "actors/session_hub/conversation_digest.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

#include <openssl/evp.h>

namespace troupe {

namespace {

struct free_context {
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};

/// One SHA-256 after the other.
class sha256 {
public:
  sha256() : context_{EVP_MD_CTX_new()} { check(context_ != nullptr); }

  void begin() { check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1); }

  void add(const void* bytes, size_t size) {
    check(EVP_DigestUpdate(context_.get(), bytes, size) == 1);
  }

  /// With its length each part has one reading, whatever bytes are in it.
  void add(std::string_view part) {
    add_number(part.size());
    add(part.data(), part.size());
  }

  void add_number(uint64_t number) { add(&number, sizeof number); }

  conversation_digest end() {
    conversation_digest out;
    check(EVP_DigestFinal_ex(context_.get(), out.data(), nullptr) == 1);
    return out;
  }

private:
  /// Nothing but memory can be missing.
  static void check(bool done) {
    if (!done)
      throw std::bad_alloc{};
  }

  std::unique_ptr<EVP_MD_CTX, free_context> context_;
};

void add(sha256& into, const chat_message& message) {
  into.add_number(static_cast<uint64_t>(message.who));
  into.add(message.text);
  into.add(message.tool_call_id);
  into.add_number(message.tool_calls.size());
  for (const auto& call : message.tool_calls) {
    into.add(call.id);
    into.add(call.name);
    into.add(call.arguments);
  }
  into.add_number(message.files.size());
  for (const auto& file : message.files)
    into.add(file.url);
  for (const auto& extra : message.extras) {
    into.add(extra.uri);
    into.add(extra.content);
  }
}

} // namespace

std::vector<conversation_digest> digests_of(const std::vector<chat_message>& messages) {
  std::vector<conversation_digest> out;
  out.reserve(messages.size() + 1);
  sha256 hash;
  hash.begin();
  out.push_back(hash.end());
  for (const auto& each : messages) {
    if (each.who != role::system) {
      hash.begin();
      hash.add(out.back().data(), out.back().size());
      add(hash, each);
      out.push_back(hash.end());
    } else {
      out.push_back(out.back());
    }
  }
  return out;
}

} // namespace troupe
