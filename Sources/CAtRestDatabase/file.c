#include "internal.h"

// The methods that pass a call on to the file below.

int file_close(sqlite3_file *base) {
  File *file = (File *)base;
  if (file->peer && file->peer->peer == file) file->peer->peer = NULL;
  if (file->peer && file->peer->journal_file == file) file->peer->journal_file = NULL;
  if (file->journal_file) file->journal_file->peer = NULL;
  int code = lower(file)->pMethods->xClose(lower(file));
  sqlite3_free(lower(file));
  memset(file->plain, 0, (size_t)page_size(file));
  sqlite3_free(file->sealed);
  sqlite3_free(file->index.regions);
  key_release(file->key);
  base->pMethods = NULL;
  return code;
}

int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xTruncate(file, size);
}

int file_sync(sqlite3_file *base, int flags) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xSync(file, flags);
}

int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xFileSize(file, size);
}

int file_lock(sqlite3_file *base, int level) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xLock(file, level);
}

int file_unlock(sqlite3_file *base, int level) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xUnlock(file, level);
}

int file_check_lock(sqlite3_file *base, int *result) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xCheckReservedLock(file, result);
}

int file_sector_size(sqlite3_file *base) {
  sqlite3_file *file = lower((File *)base);
  return file->pMethods->xSectorSize ? file->pMethods->xSectorSize(file) : 4096;
}

int file_characteristics(sqlite3_file *base) {
  sqlite3_file *file = lower((File *)base);
  // Kept are the properties that do not depend on the size of a write. With
  // POWERSAFE_OVERWRITE, SQLite writes each page of the log in one piece.
  int kept = SQLITE_IOCAP_SEQUENTIAL | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN | SQLITE_IOCAP_IMMUTABLE;
  return (file->pMethods->xDeviceCharacteristics(file) & kept) | SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}
