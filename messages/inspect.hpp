// CAF inspection for every type that has fields(): the one place that depends on CAF 0.17.
#pragma once

#include <cstdint>
#include <tuple>
#include <variant>

#include <caf/error.hpp>
#include <caf/sec.hpp>

#include "messages/fields.hpp"

namespace troupe {

template <class Inspector, described T>
typename Inspector::result_type inspect(Inspector& f, T& value) {
  return std::apply([&](auto... each) { return f(value.*(each.member)...); }, T::fields());
}

namespace mcp {
using troupe::inspect; // argument-dependent lookup does not look into enclosing namespaces
}

} // namespace troupe

namespace std {

// CAF finds this by argument-dependent lookup; troupe::event is the only variant that is sent.
template <class Inspector, class... Ts>
typename Inspector::result_type inspect(Inspector& f, variant<Ts...>& value) {
  auto index = static_cast<uint8_t>(value.index());
  if constexpr (Inspector::reads_state) {
    return visit([&](auto& alternative) { return f(index, alternative); }, value);
  } else {
    if (auto err = f(index))
      return err;
    if (index >= sizeof...(Ts))
      return caf::make_error(caf::sec::invalid_argument);
    using maker = variant<Ts...> (*)();
    static constexpr maker makers[] = {[]() -> variant<Ts...> { return Ts{}; }...};
    value = makers[index]();
    return visit([&](auto& alternative) { return f(alternative); }, value);
  }
}

} // namespace std
