// Breaks two rules on purpose: includes.cmake has to say so.
#include "actors/session.hpp"
  #  include <simdjson.h>
