// How many bytes of clients wait in memory: in all, per address, per owner.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace troupe {

/// Counts the bytes that clients make the server keep: unread requests, bodies that wait for their
/// answer, WebSocket messages in the making, answers that nobody reads. All connections of a server
/// share one budget. One address may have half of it, one owner a quarter, but always enough for
/// one large request. Any thread; outlives its charges.
class buffer_budget {
public:
  /// The account of one address or one owner.
  struct account {
    std::atomic<size_t> bytes{0};
    std::atomic<uint32_t> connections{0}; ///< of an address
    size_t most = 0;                      ///< bytes
    std::string name;                     ///< the address, or the owner
  };

  /// @param most bytes in all @param request the largest body of one request, in bytes
  buffer_budget(size_t most, size_t request);

  /// Returns the account of an address, "127.0.0.1"; all of its connections share it.
  std::shared_ptr<account> of_address(std::string_view address);

  /// Returns the account of an owner of API keys.
  std::shared_ptr<account> of_owner(std::string_view owner);

  size_t most() const { return all_->most; }
  size_t bytes() const { return all_->bytes.load(std::memory_order_relaxed); }

  /// Counts what was refused or given up because the budget was used up.
  void count_refusal() { refusals_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t refusals() const { return refusals_.load(std::memory_order_relaxed); }

private:
  friend class buffer_charge;

  using accounts = std::unordered_map<std::string, std::weak_ptr<account>>;

  std::shared_ptr<account> find(std::string_view kind, std::string_view name, size_t share);

  const size_t least_share_;
  const std::shared_ptr<account> all_ = std::make_shared<account>();
  std::atomic<uint64_t> refusals_{0};
  std::mutex mutex_;
  accounts accounts_;
  size_t sweep_at_ = 0; // entries without a user go when there are so many
};

/// The accounts that pay for one connection. Any thread; may outlive the budget.
struct buffer_payers {
  std::shared_ptr<const buffer_budget::account> all, address, owner; ///< owner: nullptr if nobody

  /// Returns how many more bytes they have room for just now.
  size_t room() const;
};

/// The part of one connection. Loop thread only; gives everything back when it is destroyed.
class buffer_charge {
public:
  /// A connection may always have so much: heads and short messages come through when the budget is
  /// used up, so its sum is bounded by the number of connections.
  static constexpr size_t free_bytes = 4 * 1024;

  buffer_charge(buffer_budget& budget, std::shared_ptr<buffer_budget::account> address)
      : budget_{budget}, address_{std::move(address)} {
    address_->connections.fetch_add(1, std::memory_order_relaxed);
  }
  ~buffer_charge();
  buffer_charge(const buffer_charge&) = delete;
  buffer_charge& operator=(const buffer_charge&) = delete;

  /// Says how many bytes the connection keeps now. Less is always taken, more only where budget,
  /// address and owner have room. @return whether it was taken; else the charge is as before
  bool resize(size_t bytes);

  /// Has `owner` pay, too, and no other one, until nothing is held any more. What is held already
  /// is over no limit. @param owner nullptr: nobody
  void bill(std::shared_ptr<buffer_budget::account> owner);
  /// Returns whether this owner pays. @param owner empty: nobody
  bool is_billed_to(std::string_view owner) const {
    return owner_ ? owner_->name == owner : owner.empty();
  }

  size_t bytes() const { return held_; }

  /// Returns who pays for what a request of this owner brings. @param owner empty: nobody
  std::shared_ptr<const buffer_payers> payers(std::string_view owner);

  /// Returns how many connections the address has.
  size_t of_its_address() const { return address_->connections.load(std::memory_order_relaxed); }

private:
  bool grow(size_t by);
  void shrink(size_t to);

  buffer_budget& budget_;
  std::shared_ptr<buffer_budget::account> address_;
  std::shared_ptr<buffer_budget::account> owner_;
  std::shared_ptr<const buffer_payers> payers_; ///< of the last request
  size_t held_ = 0;
};

} // namespace troupe
