#include "messages/interfaces/message_types.hpp"

#include "messages/inspect.hpp"

namespace troupe {

#define TROUPE_DEFINE_INSPECT(type)                                                                \
  caf::error inspect(caf::serializer& to, type& value) {                                           \
    return inspect<caf::serializer, type>(to, value);                                              \
  }                                                                                                \
  caf::error inspect(caf::deserializer& from, type& value) {                                       \
    return inspect<caf::deserializer, type>(from, value);                                          \
  }                                                                                                \
  void inspect(caf::detail::stringification_inspector& to, type& value) {                          \
    inspect<caf::detail::stringification_inspector, type>(to, value);                              \
  }
TROUPE_MESSAGE_TYPES(TROUPE_DEFINE_INSPECT)
#undef TROUPE_DEFINE_INSPECT

} // namespace troupe
