// Breaks two rules on purpose: includes.cmake has to say so.
#include "transport/loop.hpp"
#include <ev.h>
