// The signature of the requests that one node forwards to another.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace troupe {

/// The signed parts of a forwarded request. Views.
struct forward_stamp {
  std::string_view sender; ///< name of the node that forwards
  std::string_view sent;   ///< Unix, in milliseconds, decimal
  std::string_view method;
  std::string_view target; ///< as it stands in the request line, with the query
  std::string_view owner;  ///< "" in single-user mode
  std::string_view limit;  ///< of the owner's concurrent turns, decimal; "": none
  std::string_view to;     ///< start of the node that is said to run the turn; "any": whichever
  std::string_view body;   ///< digest() of the body
};

/// The result of checking a signature.
enum class forward_verdict : uint8_t {
  good,
  missing, ///< there is none
  old,     ///< good, but made too long ago, or by a clock that is ahead
  wrong    ///< of another secret, or of another request
};

/// Signs and judges with HMAC-SHA256. Any thread, also concurrently.
class forward_signature {
public:
  /// How far the time of a request may be from the time of its judge.
  static constexpr std::chrono::seconds longest_age{30};

  /// @param secret that all nodes have, not empty
  /// @throws std::runtime_error if libcrypto has no HMAC
  explicit forward_signature(std::string_view secret);
  ~forward_signature();

  forward_signature(const forward_signature&) = delete;
  forward_signature& operator=(const forward_signature&) = delete;

  /// Returns 64 hexadecimal digits; "", which no judge takes, if libcrypto fails.
  std::string of(const forward_stamp& what) const;

  /// Judges in a time that does not reveal how much of a signature is right.
  forward_verdict judge(const forward_stamp& what, std::string_view signature,
                        std::chrono::milliseconds now) const;

  /// Returns the SHA-256 of a body, 64 hexadecimal digits.
  static std::string digest(std::string_view body);

private:
  struct keyed;
  std::unique_ptr<keyed> key_;
};

} // namespace troupe
