#include "CAtRestSQLite.h"

#include <stdatomic.h>
#include <stdlib.h>

struct atrest_sqlite_gate {
  atomic_int closed;
};

atrest_sqlite_gate *atrest_sqlite_gate_make(void) {
  atrest_sqlite_gate *gate = malloc(sizeof *gate);
  if (gate != NULL) atomic_init(&gate->closed, 0);
  return gate;
}

int atrest_sqlite_gate_close(atrest_sqlite_gate *gate) {
  return atomic_exchange(&gate->closed, 1) == 0;
}

int atrest_sqlite_gate_is_closed(atrest_sqlite_gate *gate) { return atomic_load(&gate->closed); }

void atrest_sqlite_gate_free(atrest_sqlite_gate *gate) { free(gate); }

static int refuses(void *gate) {
  return atomic_load_explicit(&((atrest_sqlite_gate *)gate)->closed, memory_order_acquire);
}

void atrest_sqlite_gate_watch(atrest_sqlite_gate *gate, void *connection) {
  // The shortest statement that returns a row has about eight instructions.
  if (connection != NULL) sqlite3_progress_handler(connection, 4, refuses, gate);
}
