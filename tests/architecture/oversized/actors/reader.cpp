#include "actors/long.hpp"
