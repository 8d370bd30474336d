// Values with fields() in the database: JSON objects without the members that have their initial
// value. A stored value stays readable when its struct gets or loses members.
#pragma once

#include "transport/store/stored_json_reading.hpp"
#include "transport/store/stored_json_writing.hpp"
