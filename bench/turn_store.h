/* What SQLite needs for what is kept of a turn, and nothing else: the statements of
 * transport/sqlite with constant texts, prepared once. One thread; what fails ends the program. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Plain: a question and an answer of 50 tokens. With a call: a short answer, and before it a call
 * of a tool and its result. */
enum turn_kind { plain_turn, turn_with_call };

/* Saves of a turn: the first before the model is asked, the last with its end; a call is kept
 * before it is made, its result before the model is told. */
enum { saves_of_plain_turn = 2, saves_with_call = 4 };

/* Opens a database that `troupe serve` has made, with the settings that it has by default. */
void turn_store_open(const char* path, enum turn_kind kind);

void turn_store_begin(void);
void turn_store_commit(void);

/* Writes one of a turn's saves, from 0. Turns have numbers from 1, each once, and a chat each. In a
 * transaction. */
void turn_store_save(long turn, int save);

/* Makes question and answer of the turns before `end` findable, in transactions of its own. */
void turn_store_index(long first, long end);

#ifdef __cplusplus
}
#endif
