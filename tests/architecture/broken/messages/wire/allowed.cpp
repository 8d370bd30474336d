// Allowed: a wire format may read JSON.
#include <simdjson.h>
#include "messages/wire/upward.hpp"
