// Values with fields() as the database keeps them: JSON objects without the members that have their
// initial value. What is written today can be read when a struct has got more members, or fewer.
#pragma once

#include "transport/sqlite/stored_json_reading.hpp"
#include "transport/sqlite/stored_json_writing.hpp"
