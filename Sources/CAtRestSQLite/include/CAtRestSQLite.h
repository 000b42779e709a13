#ifndef CATREST_SQLITE_H
#define CATREST_SQLITE_H

#include <sqlite3.h>

/// Protects a connection against a hostile database file: triggers and views do not run, SQL cannot
/// edit the schema, and functions in the schema are not called.
///
/// Returns 0, or a result code of SQLite.
int atrest_sqlite_defend(sqlite3 *_Nonnull connection);

/// A switch that stops all statements of the connections that it watches, also those that begin
/// later. Threads may share it.
typedef struct atrest_sqlite_gate atrest_sqlite_gate;

/// Returns a gate that is open, or null if there is no memory.
atrest_sqlite_gate *_Nullable atrest_sqlite_gate_make(void);

/// Makes every statement that returns a row or changes one end with SQLITE_INTERRUPT. Statements that only begin or
/// end a transaction are not stopped. It cannot be undone. Returns 1, or 0 if the gate was closed already.
int atrest_sqlite_gate_close(atrest_sqlite_gate *_Nonnull gate);

/// Returns 1 if the gate is closed, and 0 otherwise.
int atrest_sqlite_gate_is_closed(atrest_sqlite_gate *_Nonnull gate);

/// Watches a connection, an `sqlite3 *`, whose progress handler is replaced.
void atrest_sqlite_gate_watch(
  atrest_sqlite_gate *_Nonnull gate, void *_Nullable connection);

/// Releases a gate. The connections that it watches must be closed.
void atrest_sqlite_gate_free(atrest_sqlite_gate *_Nonnull gate);

#endif
