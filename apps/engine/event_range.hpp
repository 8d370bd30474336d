// The events of one turn as a range, for callers that have a thread to wait with.
#pragma once

#include <iterator>
#include <memory>

#include "messages/chat/events.hpp"

namespace troupe {

/// An input range of event_batch; ends after the terminal event. A reader that lags pauses the
/// turn, nothing is dropped. Not thread safe; must not outlive its engine. Destroying it early
/// aborts the turn that it asked for, unless that is resumable.
class event_range {
public:
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = event_batch;
    using difference_type = std::ptrdiff_t;
    using pointer = const event_batch*;
    using reference = const event_batch&;

    reference operator*() const { return owner_->current(); }
    pointer operator->() const { return &owner_->current(); }
    iterator& operator++() {
      if (!owner_->next())
        owner_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const iterator& other) const { return owner_ == other.owner_; }

  private:
    friend class event_range;
    explicit iterator(event_range* owner) : owner_(owner) {}
    event_range* owner_;
  };

  struct impl; // in event_range.cpp
  explicit event_range(std::unique_ptr<impl> made);
  event_range(event_range&&) noexcept;
  ~event_range();

  /// Waits for the first batch. Call once.
  iterator begin();
  iterator end() { return iterator{nullptr}; }

  /// Waits for the next batch; false after the terminal one.
  bool next();
  const event_batch& current() const;

private:
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
