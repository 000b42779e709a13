#include "internal.h"

// The file controls: what SQLite asks of a file beside reading and writing.

int file_control(sqlite3_file *base, int operation, void *argument) {
  sqlite3_file *file = lower((File *)base);
  int code = SQLITE_OK;
  switch (operation) {
  case SQLITE_FCNTL_PRAGMA:
    if (answer_pragma((File *)base, argument, &code)) return code;
    return file->pMethods->xFileControl(file, operation, argument);
  case SQLITE_FCNTL_VFSNAME: {
    code = file->pMethods->xFileControl(file, operation, argument);
    char **name = argument;
    if (code == SQLITE_OK) *name = sqlite3_mprintf("atrest/%z", *name);
    return code;
  }
  // Files that grow in chunks have pages of zeros, which are not authentic. A mapping would show
  // ciphertext, and an atomic write needs no journal.
  case SQLITE_FCNTL_CHUNK_SIZE:
  case SQLITE_FCNTL_SIZE_HINT:
    return SQLITE_OK;
  case SQLITE_FCNTL_MMAP_SIZE:
  case SQLITE_FCNTL_BEGIN_ATOMIC_WRITE:
  case SQLITE_FCNTL_COMMIT_ATOMIC_WRITE:
  case SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE:
    return SQLITE_NOTFOUND;
  default:
    return file->pMethods->xFileControl(file, operation, argument);
  }
}
