// Allowed: a wire format may read JSON.
#include "messages/wire/upward.hpp"
#include <simdjson.h>
