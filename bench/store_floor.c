/* What SQLite alone needs for a plain turn: `bench-store-floor DATABASE TURNS PER_COMMIT`; DATABASE
 * is one that `troupe serve` has made. Prints CPU microseconds per turn. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "turn_store.h"

static double cpu_us(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Two saves for each turn; those of `group` turns share a commit. */
static void keep(long turns, long group) {
  for (long from = 1; from <= turns; from += group)
    for (int save = 0; save < saves_of_plain_turn; ++save) {
      turn_store_begin();
      for (long turn = from; turn < from + group; ++turn)
        turn_store_save(turn, save);
      turn_store_commit();
    }
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: bench-store-floor DATABASE TURNS PER_COMMIT\n");
    return 2;
  }
  const long group = atol(argv[3]), turns = atol(argv[2]) / group * group;
  turn_store_open(argv[1], plain_turn);
  const double before = cpu_us();
  keep(turns, group);
  const double kept = cpu_us();
  turn_store_index(1, turns + 1);
  const double all = cpu_us();
  printf("saves_us %.1f\nindex_us %.1f\nall_us %.1f\n", (kept - before) / (double)turns,
         (all - kept) / (double)turns, (all - before) / (double)turns);
  return 0;
}
