#include "CAtRestSQLite.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What SQLite hands to `refuses`. It stays until the gate is freed, because a connection may be closed at any time.
typedef struct watched {
  struct atrest_sqlite_gate *gate;
  sqlite3 *connection;
  struct watched *next;
} watched;

struct atrest_sqlite_gate {
  atomic_int closed;
  pthread_mutex_t lock;
  watched *first;
};

atrest_sqlite_gate *atrest_sqlite_gate_make(void) {
  atrest_sqlite_gate *gate = malloc(sizeof *gate);
  if (gate == NULL) return NULL;
  atomic_init(&gate->closed, 0);
  pthread_mutex_init(&gate->lock, NULL);
  gate->first = NULL;
  return gate;
}

int atrest_sqlite_gate_close(atrest_sqlite_gate *gate) {
  return atomic_exchange(&gate->closed, 1) == 0;
}

int atrest_sqlite_gate_is_closed(atrest_sqlite_gate *gate) { return atomic_load(&gate->closed); }

void atrest_sqlite_gate_free(atrest_sqlite_gate *gate) {
  while (gate->first != NULL) {
    watched *entry = gate->first;
    gate->first = entry->next;
    free(entry);
  }
  pthread_mutex_destroy(&gate->lock);
  free(gate);
}

// Returns 1 if a statement only begins or ends a transaction.
static int is_control(const char *sql) {
  static const char *const words[] = {"BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"};
  if (sql == NULL) return 0;
  while (isspace((unsigned char)*sql)) sql++;
  for (size_t index = 0; index < sizeof words / sizeof *words; index++) {
    if (strncasecmp(sql, words[index], strlen(words[index])) == 0) return 1;
  }
  return 0;
}

// A statement that is busy has not ended. One that begins or ends a transaction runs to its end in one step, so if
// one is busy, it is the one that runs now. SQLite also asks after a statement has ended: to refuse it then would
// call a change that was made a failure, and leave a transaction open that GRDB takes for one that did not begin.
// GRDB ends a process that leaves a transaction open.
static int refuses(void *context) {
  const watched *entry = context;
  if (!atomic_load_explicit(&entry->gate->closed, memory_order_acquire)) return 0;
  int is_running = 0;
  sqlite3_stmt *statement = NULL;
  while ((statement = sqlite3_next_stmt(entry->connection, statement)) != NULL) {
    if (!sqlite3_stmt_busy(statement)) continue;
    if (is_control(sqlite3_sql(statement))) return 0;
    is_running = 1;
  }
  return is_running;
}

void atrest_sqlite_gate_watch(atrest_sqlite_gate *gate, void *connection) {
  if (connection == NULL) return;
  pthread_mutex_lock(&gate->lock);
  // A connection that was closed can have had the same address.
  watched *entry = gate->first;
  while (entry != NULL && entry->connection != connection) entry = entry->next;
  if (entry == NULL && (entry = malloc(sizeof *entry)) != NULL) {
    *entry = (watched){.gate = gate, .connection = connection, .next = gate->first};
    gate->first = entry;
  }
  pthread_mutex_unlock(&gate->lock);
  // Each statement that uses a database jumps with its third instruction or a later one, after it has begun its
  // transaction and before anything else. SQLite asks at jumps.
  if (entry != NULL) sqlite3_progress_handler(connection, 3, refuses, entry);
}
