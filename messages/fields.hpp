// How a message describes itself, once: inspection (CAF) and JSON both follow from fields().
#pragma once

#include <tuple>
#include <type_traits>

namespace troupe {

/// One named member of a message struct; `name` is also its JSON key.
template <class Struct, class Member>
struct field_of {
  const char* name;
  Member Struct::*member;
  bool when_given = false; ///< JSON leaves the member out while it is empty
};

/// Names a member inside a struct's `fields()`; the name has static storage.
template <class Struct, class Member>
constexpr field_of<Struct, Member> field(const char* name, Member Struct::*member) {
  return {name, member};
}

/// Names a text, flag or number that few values have: JSON leaves it out while it is empty, false
/// or 0.
template <class Struct, class Member>
constexpr field_of<Struct, Member> field_when_given(const char* name, Member Struct::*member) {
  return {name, member, true};
}

/// Satisfied by structs that list their members in a static `fields(auto...)`, which returns a
/// tuple of field(). It is a template so that only the files that use the tuples make them: the
/// tuples of all messages cost a file 2.4 s of its compilation.
template <class T>
concept described = requires {
  std::remove_cv_t<T>::fields();
};

/// Calls `visit(name, member)` for each member of `value`, in the order of its `fields()`.
template <described T, class Visitor>
constexpr void for_each_field(T& value, Visitor&& visit) {
  std::apply([&](auto... each) { (visit(each.name, value.*(each.member)), ...); },
             std::remove_cv_t<T>::fields());
}

} // namespace troupe
