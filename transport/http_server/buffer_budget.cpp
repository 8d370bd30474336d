#include "transport/http_server/buffer_budget.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Charges are counted in steps, so that a read of a few bytes touches no counter that all share.
constexpr size_t step = 16 * 1024;

constexpr size_t least_sweep = 1024; // accounts

/// Adds `by` unless that makes more than `most`.
bool add(std::atomic<size_t>& to, size_t by, size_t most) {
  if (to.fetch_add(by, std::memory_order_relaxed) + by <= most)
    return true;
  to.fetch_sub(by, std::memory_order_relaxed);
  return false;
}

} // namespace

buffer_budget::buffer_budget(size_t most, size_t request)
    : least_share_{std::min(most, request + 2 * step)} {
  all_->most = most;
}

std::shared_ptr<buffer_budget::account> buffer_budget::find(std::string_view kind,
                                                            std::string_view name, size_t share) {
  const std::lock_guard guard{mutex_};
  if (accounts_.size() >= sweep_at_) {
    std::erase_if(accounts_, [](const auto& each) { return each.second.expired(); });
    sweep_at_ = std::max<size_t>(2 * accounts_.size(), least_sweep);
  }
  auto& place = accounts_[std::string{kind}.append(name)];
  auto out = place.lock();
  if (!out) {
    out = std::make_shared<account>();
    out->most = std::max(share, least_share_);
    out->name = name;
    place = out;
  }
  return out;
}

std::shared_ptr<buffer_budget::account> buffer_budget::of_address(std::string_view address) {
  return find("address ", address, all_->most / 2);
}

std::shared_ptr<buffer_budget::account> buffer_budget::of_owner(std::string_view owner) {
  return find("owner ", owner, all_->most / 4);
}

size_t buffer_payers::room() const {
  size_t out = SIZE_MAX;
  for (const auto* each : {&all, &address, &owner})
    if (*each) {
      const auto used = (*each)->bytes.load(std::memory_order_relaxed);
      out = std::min(out, (*each)->most - std::min((*each)->most, used));
    }
  return out;
}

buffer_charge::~buffer_charge() {
  shrink(0);
  address_->connections.fetch_sub(1, std::memory_order_relaxed);
}

bool buffer_charge::resize(size_t bytes) {
  const auto wanted = bytes <= free_bytes ? 0 : (bytes + step - 1) / step * step;
  if (wanted > held_)
    return grow(wanted - held_);
  if (wanted < held_)
    shrink(wanted);
  return true;
}

/// Made once where all requests of a connection are of one owner, as most are.
std::shared_ptr<const buffer_payers> buffer_charge::payers(std::string_view owner) {
  const auto is_of = [&](const buffer_payers& known) {
    return known.owner ? known.owner->name == owner : owner.empty();
  };
  if (!payers_ || !is_of(*payers_))
    payers_ = std::make_shared<const buffer_payers>(
        buffer_payers{budget_.all_, address_, owner.empty() ? nullptr : budget_.of_owner(owner)});
  return payers_;
}

bool buffer_charge::grow(size_t by) {
  if (!add(budget_.all_->bytes, by, budget_.all_->most))
    return false;
  if (!add(address_->bytes, by, address_->most)) {
    budget_.all_->bytes.fetch_sub(by, std::memory_order_relaxed);
    return false;
  }
  if (owner_ && !add(owner_->bytes, by, owner_->most)) {
    address_->bytes.fetch_sub(by, std::memory_order_relaxed);
    budget_.all_->bytes.fetch_sub(by, std::memory_order_relaxed);
    return false;
  }
  held_ += by;
  return true;
}

void buffer_charge::shrink(size_t to) {
  const auto by = std::exchange(held_, to) - to;
  budget_.all_->bytes.fetch_sub(by, std::memory_order_relaxed);
  address_->bytes.fetch_sub(by, std::memory_order_relaxed);
  if (owner_)
    owner_->bytes.fetch_sub(by, std::memory_order_relaxed);
  if (to == 0)
    owner_ = nullptr;
}

void buffer_charge::bill(std::shared_ptr<buffer_budget::account> owner) {
  if (owner_)
    owner_->bytes.fetch_sub(held_, std::memory_order_relaxed);
  owner_ = std::move(owner);
  if (owner_)
    owner_->bytes.fetch_add(held_, std::memory_order_relaxed);
}

} // namespace troupe
