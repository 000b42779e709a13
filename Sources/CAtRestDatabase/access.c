#include "internal.h"

// What the Swift module needs of SQLite beside the VFS.

int atrest_database_reads_uris(void) { return sqlite3_compileoption_used("USE_URI"); }

const char *atrest_database_parameter(const char *file, const char *name) {
  return sqlite3_uri_parameter(file, name);
}

void atrest_database_log(const char *message) { sqlite3_log(SQLITE_CANTOPEN, "%s", message); }

int atrest_database_is_encrypted(void *connection) {
  sqlite3_file *file = NULL;
  return sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK
    && file && file->pMethods == &main_methods;
}

int atrest_database_has_moved(void *connection) {
  int has_moved = 1;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return code != SQLITE_OK || has_moved;
}

int atrest_database_has_exclusive_lock(void *connection) {
  int level = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_LOCKSTATE, &level);
  // SQLite's level of an exclusive lock is 4.
  return code == SQLITE_OK && level == 4 && sqlite3_db_readonly(connection, "main") == 0;
}

void atrest_database_want_reserve(void *connection, int bytes) {
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

const char *atrest_database_system_vfs(void) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  return vfs ? vfs->zName : NULL;
}

struct atrest_raw_file {
  const char *name;
  sqlite3_file file[];
};

int atrest_raw_open(const char *path, int writes, atrest_raw_file **out) {
  *out = NULL;
  int code = sqlite3_initialize();
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  if (code != SQLITE_OK || !vfs) return SQLITE_CANTOPEN;
  atrest_raw_file *raw = sqlite3_malloc64(sizeof *raw + (size_t)vfs->szOsFile);
  const char *name = sqlite3_create_filename(path, "", "", 0, NULL);
  if (!raw || !name) {
    sqlite3_free(raw);
    sqlite3_free_filename((void *)name);
    return SQLITE_NOMEM;
  }
  raw->name = name;
  raw->file->pMethods = NULL;
  int flags = SQLITE_OPEN_MAIN_DB | (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  code = vfs->xOpen(vfs, name, raw->file, flags, &flags);
  // SQLite opens a file for reading if it may not be written.
  if (code == SQLITE_OK && writes && !(flags & SQLITE_OPEN_READWRITE)) code = SQLITE_READONLY;
  if (code == SQLITE_OK) *out = raw;
  else atrest_raw_close(raw);
  return code;
}

int atrest_raw_size(atrest_raw_file *raw, int64_t *size) {
  sqlite3_int64 bytes = 0;
  int code = raw->file->pMethods->xFileSize(raw->file, &bytes);
  *size = bytes;
  return code;
}

int atrest_raw_has_moved(atrest_raw_file *raw) {
  int has_moved = 0;
  int code = raw->file->pMethods->xFileControl(raw->file, SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return code == SQLITE_OK && has_moved;
}

int atrest_raw_read(atrest_raw_file *raw, void *bytes, int count, int64_t offset) {
  return raw->file->pMethods->xRead(raw->file, bytes, count, offset);
}

int atrest_raw_write(atrest_raw_file *raw, const void *bytes, int count, int64_t offset) {
  int code = raw->file->pMethods->xWrite(raw->file, bytes, count, offset);
  return code == SQLITE_OK ? raw->file->pMethods->xSync(raw->file, SQLITE_SYNC_FULL) : code;
}

void atrest_raw_close(atrest_raw_file *raw) {
  if (raw->file->pMethods) raw->file->pMethods->xClose(raw->file);
  sqlite3_free_filename((void *)raw->name);
  sqlite3_free(raw);
}
