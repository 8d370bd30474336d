#include "actors/long.hpp"

int sum(int from, int to) {
  int out = 0;
  for (; from < to; ++from)
    out += from;
  return out;
}
