#ifndef CATREST_SQLITE_H
#define CATREST_SQLITE_H

#include <sqlite3.h>

/// Protects a connection against a hostile database file: triggers and views do not run, SQL cannot
/// edit the schema, and functions in the schema are not called.
///
/// Returns 0, or a result code of SQLite.
int atrest_sqlite_defend(sqlite3 *_Nonnull connection);

#endif
