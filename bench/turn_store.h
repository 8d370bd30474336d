/* What SQLite needs for what is kept of a plain turn, and nothing else: the statements of
 * transport/sqlite with constant texts, prepared once. One thread; what fails ends the program. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a database that `troupe serve` has made, with the settings that it has by default. */
void turn_store_open(const char* path);

void turn_store_begin(void);
void turn_store_commit(void);

/* Writes what is kept before the model is asked (half 0) or with the end (half 1) of a turn. Turns
 * have numbers from 1, each once, and a chat each. In a transaction. */
void turn_store_save(long turn, int half);

/* Makes both messages of the turns before `end` findable, in transactions of its own. */
void turn_store_index(long first, long end);

#ifdef __cplusplus
}
#endif
