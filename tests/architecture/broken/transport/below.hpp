// Breaks one rule on purpose: what lies in the folder itself includes no room.
#include "transport/loop/loop.hpp"
