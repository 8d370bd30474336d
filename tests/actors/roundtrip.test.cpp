// Every message survives CAF's binary serialization: sessions will live on several nodes.
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/deep_to_string.hpp>

#include "messages/inspect.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deterministic.hpp"

namespace roundtrip_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using bytes = std::vector<char>;

template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_frozen : std::false_type {};
template <class T>
struct is_frozen<frozen<T>> : std::true_type {};

/// Gives every member a value of its own, so that two that were mixed up show.
class filler {
public:
  template <class T>
  void fill(T& value) {
    if constexpr (std::is_same_v<T, bool>)
      value = true;
    else if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(value == T{} ? 1 : 0);
    else if constexpr (std::is_arithmetic_v<T>)
      value = static_cast<T>(++next_);
    else if constexpr (std::is_same_v<T, std::string>)
      value = "\"text\" \xC3\xA9 " + std::to_string(++next_) + std::string{"\0\n", 2};
    else if constexpr (std::is_same_v<T, std::vector<event>>)
      fill_events<0>(value);
    else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>)
      value = {{"a", "b\0"}, {std::to_string(++next_), "c"}};
    else if constexpr (std::is_same_v<T, std::chrono::milliseconds>)
      value = T{++next_};
    else if constexpr (is_vector<T>::value)
      fill_items(value);
    else if constexpr (is_frozen<T>::value)
      fill_frozen(value);
    else
      for_each_field(value, [this](const char*, auto& member) { fill(member); });
  }

private:
  template <class T>
  void fill_items(std::vector<T>& items) {
    items.resize(2);
    for (auto& each : items)
      fill(each);
  }

  template <class T>
  void fill_frozen(frozen<T>& shared) {
    T value;
    fill(value);
    shared = frozen<T>{std::move(value)};
  }

  /// One of each kind.
  template <size_t I>
  void fill_events(std::vector<event>& events) {
    if constexpr (I < std::variant_size_v<event>) {
      std::variant_alternative_t<I, event> made;
      fill(made);
      events.emplace_back(std::move(made));
      fill_events<I + 1>(events);
    }
  }

  int next_ = 0;
};

template <class T>
bytes save(caf::actor_system& sys, const T& value) {
  bytes out;
  caf::binary_serializer sink{sys, out};
  REQUIRE_FALSE(sink(const_cast<T&>(value)));
  return out;
}

template <class T>
caf::error load(caf::actor_system& sys, const bytes& in, T& value) {
  caf::binary_deserializer source{sys, in};
  return source(value);
}

template <class T>
void check_survives(caf::actor_system& sys, const T& value) {
  auto saved = save(sys, value);
  T back;
  REQUIRE_FALSE(load(sys, saved, back));
  CHECK(caf::deep_to_string(back) == caf::deep_to_string(value));
  CHECK(save(sys, back) == saved);
}

template <class T>
T filled() {
  T value;
  filler{}.fill(value);
  return value;
}

template <class Visitor>
void for_all_messages(Visitor&& visit) {
#define TROUPE_VISIT(type) visit(type{});
  TROUPE_MESSAGE_TYPES(TROUPE_VISIT)
#undef TROUPE_VISIT
}

} // namespace

TEST_CASE("every type of the list has an id, and only these", "[actors][roundtrip]") {
  constexpr size_t ids = caf::id_block::troupe::end - caf::id_block::troupe::begin;
  size_t types = 0;
  for_all_messages([&](const auto&) { ++types; });
  CHECK(ids == types); // atoms take no ids of the block
}

TEST_CASE_METHOD(deterministic, "an empty message survives serialization", "[actors][roundtrip]") {
  for_all_messages([&](const auto& each) { check_survives(sys, each); });
}

TEST_CASE_METHOD(deterministic, "a message with everything in it survives serialization",
                 "[actors][roundtrip]") {
  for_all_messages([&](const auto& each) {
    using message = std::decay_t<decltype(each)>;
    auto value = filled<message>();
    CHECK(save(sys, value) != save(sys, message{}));
    check_survives(sys, value);
  });
}

TEST_CASE_METHOD(deterministic, "a message survives as the content of a caf::message",
                 "[actors][roundtrip]") {
  for_all_messages([&](const auto& each) {
    using message = std::decay_t<decltype(each)>;
    auto packed = caf::make_message(filled<message>());
    auto saved = save(sys, packed);
    caf::message back;
    REQUIRE_FALSE(load(sys, saved, back));
    REQUIRE(back.match_elements<message>());
    CHECK(save(sys, back.get_as<message>(0)) == save(sys, filled<message>()));
  });
}

TEST_CASE_METHOD(deterministic, "each kind of event survives in a batch", "[actors][roundtrip]") {
  auto batch = filled<event_batch>();
  REQUIRE(batch.events.size() == std::variant_size_v<event>);
  event_batch back;
  REQUIRE_FALSE(load(sys, save(sys, batch), back));
  REQUIRE(back.events.size() == batch.events.size());
  for (size_t i = 0; i < back.events.size(); ++i)
    CHECK(back.events[i].index() == i);
}

TEST_CASE_METHOD(deterministic, "a message that is cut short is an error", "[actors][roundtrip]") {
  for_all_messages([&](const auto& each) {
    using message = std::decay_t<decltype(each)>;
    auto whole = save(sys, filled<message>());
    for (size_t size = 0; size < whole.size(); ++size) {
      message back;
      CHECK(
          load(sys, bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), back));
    }
  });
}

TEST_CASE_METHOD(deterministic, "damaged bytes are an error or another message, and no crash",
                 "[actors][roundtrip]") {
  std::mt19937 random{7};
  size_t errors = 0;
  for_all_messages([&](const auto& each) {
    using message = std::decay_t<decltype(each)>;
    auto whole = save(sys, filled<message>());
    for (int round = 0; round < 200; ++round) {
      auto damaged = whole;
      for (int n = 0; n < 3; ++n)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      message back;
      if (load(sys, damaged, back))
        ++errors;
      else
        CHECK_FALSE(save(sys, back).empty()); // reads every member
    }
  });
  CHECK(errors > 0);
}

TEST_CASE_METHOD(deterministic, "an event of a kind that does not exist is an error",
                 "[actors][roundtrip]") {
  event_batch batch;
  batch.events.emplace_back(session_error{});
  auto whole = save(sys, batch);
  auto known = static_cast<char>(batch.events[0].index());
  auto at = whole.size() - save(sys, session_error{}).size() - 1;
  REQUIRE(whole[at] == known);
  whole[at] = static_cast<char>(std::variant_size_v<event>);
  event_batch back;
  CHECK(load(sys, whole, back));
  whole[at] = static_cast<char>(-1);
  CHECK(load(sys, whole, back));
}

} // namespace roundtrip_test
