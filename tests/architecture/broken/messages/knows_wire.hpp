// Breaks one rule on purpose: includes.cmake has to say so.
#include "messages/wire/sse.hpp"
