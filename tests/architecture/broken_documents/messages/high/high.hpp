// No table names this room.
#include "messages/low/low.hpp"
