#ifndef CATREST_SQLITE_H
#define CATREST_SQLITE_H

#include <sqlite3.h>

/// Makes a connection safe for a file that somebody else may have written: triggers and views do not
/// run, the schema cannot be edited by SQL, and functions in it are not called.
///
/// Returns 0, or a result code of SQLite.
int atrest_sqlite_defend(sqlite3 *_Nonnull connection);

#endif
