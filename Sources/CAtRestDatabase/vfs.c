#include "internal.h"

#include <fcntl.h>
#include <unistd.h>

// The VFS: which files are encrypted, and by which key.

static sqlite3_vfs *below(sqlite3_vfs *vfs) { return vfs->pAppData; }

// Makes the file of a new database, so that nobody else can read it from the first moment on. SQLite gives
// journal, log and index the same mode. A file that exists is not opened: closing it would release the locks of
// this process, as POSIX requires.
static void make_private(const char *name) {
  int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) close(file);
}

static void close_lower(sqlite3_file *lower) {
  if (lower->pMethods) lower->pMethods->xClose(lower);
  sqlite3_free(lower);
}

static int open_lower(sqlite3_vfs *vfs, const char *name, int flags, int *out_flags, sqlite3_file **out) {
  sqlite3_file *lower = sqlite3_malloc64((sqlite3_uint64)below(vfs)->szOsFile);
  if (!lower) return SQLITE_NOMEM;
  lower->pMethods = NULL;
  if (flags & SQLITE_OPEN_MAIN_DB && flags & SQLITE_OPEN_CREATE) make_private(name);
  int code = below(vfs)->xOpen(below(vfs), name, lower, flags, out_flags);
  // SQLite requires a close after a failed opening if the methods are set.
  if (code != SQLITE_OK) close_lower(lower);
  else *out = lower;
  return code;
}

static int refuse_without_key(const char *name) {
  sqlite3_log(SQLITE_CANTOPEN, "AtRest: no key is known for %s, and it is not written in plain", name);
  return SQLITE_CANTOPEN;
}

// Opens the file below of a database, and finds its key.
static int open_with_key(
  sqlite3_vfs *vfs, const char *name, int flags, int *out_flags, sqlite3_file **out, FoundKey *found
) {
  // A rekey may replace the file after its key was found.
  for (int attempt = 0; attempt < 5; attempt += 1) {
    *found = find_key_of_database(name);
    int code = found->key ? open_lower(vfs, name, flags, out_flags, out) : refuse_without_key(name);
    bool is_current = end_finding(found);
    if (code == SQLITE_OK && is_current) return code;
    if (code == SQLITE_OK) close_lower(*out);
    if (found->key) key_release(found->key);
    if (is_current) return code;
  }
  sqlite3_log(SQLITE_BUSY, "AtRest: %s is being replaced again and again", name);
  return SQLITE_BUSY;
}

// Makes `out` an encrypted file, which owns the file below and the key.
static int make_file(sqlite3_file *lower, Key *key, const sqlite3_io_methods *methods, sqlite3_file *out) {
  File *file = (File *)out;
  memset(file, 0, sizeof *file);
  file->lower = lower;
  file->key = key;
  size_t page = (size_t)key->cipher.page_size;
  // `sealed` and `plain` are one allocation.
  file->sealed = sqlite3_malloc64(frame_header_size + 2 * page);
  if (!file->sealed) {
    close_lower(lower);
    key_release(key);
    return SQLITE_NOMEM;
  }
  file->plain = file->sealed + frame_header_size + page;
  file->log.held_at = file->log.loaded_at = file->log.chained_at = -1;
  file->journal.page_at = file->journal.sum_at = -1;
  forget_copied(file);
  file->base.pMethods = methods;
  return SQLITE_OK;
}

static int open_database(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *out, int flags, int *out_flags
) {
  FoundKey found = {0};
  sqlite3_file *lower = NULL;
  int result_flags = 0;
  int code = open_with_key(vfs, name, flags, &result_flags, &lower, &found);
  if (code == SQLITE_OK) code = make_file(lower, found.key, &main_methods, out);
  if (code != SQLITE_OK) return code;
  File *file = (File *)out;
  file->is_copy = sqlite3_uri_boolean(name, ATREST_COPY_PARAMETER, 0);
  if (found.is_provided) file->opening = (Opening){vfs, name, flags, result_flags};
  if (out_flags) *out_flags = result_flags;
  return code;
}

int reopen_database(File *file) {
  Opening opening = file->opening;
  FoundKey found = {0};
  sqlite3_file *lower = NULL;
  int out_flags = 0;
  int code = open_with_key(opening.vfs, opening.name, opening.flags, &out_flags, &lower, &found);
  if (code != SQLITE_OK) return code;
  bool is_same_kind = found.key->cipher.page_size == page_size(file) && out_flags == opening.out_flags;
  if (!is_same_kind) {
    close_lower(lower);
    key_release(found.key);
    return SQLITE_READONLY_DBMOVED;
  }
  close_lower(file->lower);
  key_release(file->key);
  file->lower = lower;
  file->key = found.key;
  return SQLITE_OK;
}

// Journal and log have the key of their database, also if it cannot be found by its name any longer.
static int open_beside_database(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *out, int flags, int *out_flags
) {
  File *database = (File *)sqlite3_database_file_object(name);
  if (!database || database->base.pMethods != &main_methods) return refuse_without_key(name);
  bool is_log = flags & SQLITE_OPEN_WAL;
  sqlite3_file *lower = NULL;
  int code = open_lower(vfs, name, flags, out_flags, &lower);
  if (code == SQLITE_OK)
    code = make_file(lower, key_retain(database->key), is_log ? &log_methods : &journal_methods, out);
  if (code != SQLITE_OK) return code;
  File *file = (File *)out;
  file->peer = database;
  if (is_log) database->peer = file;
  else database->journal_file = file;
  return code;
}

static int vfs_open(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *out, int flags, int *out_flags
) {
  out->pMethods = NULL;
  // Absence is never newness: a database is made by a caller who decides it.
  if (flags & SQLITE_OPEN_MAIN_DB && !sqlite3_uri_boolean(name, ATREST_CREATE_PARAMETER, 0))
    flags &= ~SQLITE_OPEN_CREATE;
  // A super-journal contains only names of files. With the same flag, SQLite reads the name at the end
  // of a journal.
  if (flags & SQLITE_OPEN_SUPER_JOURNAL)
    return below(vfs)->xOpen(below(vfs), name, out, flags, out_flags);
  if (name && flags & SQLITE_OPEN_MAIN_DB) return open_database(vfs, name, out, flags, out_flags);
  if (name && flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL))
    return open_beside_database(vfs, name, out, flags, out_flags);
  // SQLite does not say to which database a temporary file belongs.
  sqlite3_log(SQLITE_CANTOPEN, "AtRest: temporary files would be plain; use temp_store=MEMORY");
  return SQLITE_CANTOPEN;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
  return below(vfs)->xDelete(below(vfs), name, syncs_folder);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return below(vfs)->xAccess(below(vfs), name, flags, result);
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int count, char *out) {
  return below(vfs)->xFullPathname(below(vfs), name, count, out);
}

static void *vfs_dl_open(sqlite3_vfs *vfs, const char *name) {
  return below(vfs)->xDlOpen(below(vfs), name);
}

static void vfs_dl_error(sqlite3_vfs *vfs, int count, char *out) {
  below(vfs)->xDlError(below(vfs), count, out);
}

static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return below(vfs)->xDlSym(below(vfs), library, name);
}

static void vfs_dl_close(sqlite3_vfs *vfs, void *library) {
  below(vfs)->xDlClose(below(vfs), library);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *out) {
  return below(vfs)->xRandomness(below(vfs), count, out);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  return below(vfs)->xSleep(below(vfs), microseconds);
}

static int vfs_current_time(sqlite3_vfs *vfs, double *out) {
  return below(vfs)->xCurrentTime(below(vfs), out);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *out) {
  return below(vfs)->xGetLastError ? below(vfs)->xGetLastError(below(vfs), count, out) : 0;
}

static int vfs_current_time_64(sqlite3_vfs *vfs, sqlite3_int64 *out) {
  if (below(vfs)->iVersion >= 2 && below(vfs)->xCurrentTimeInt64)
    return below(vfs)->xCurrentTimeInt64(below(vfs), out);
  double days = 0;
  int code = below(vfs)->xCurrentTime(below(vfs), &days);
  *out = (sqlite3_int64)(days * 86400000.0);
  return code;
}

// Called for each new connection of the process, before the caller has it.
static int prepare_connection(sqlite3 *connection, char **message, const void *functions) {
  (void)message;
  (void)functions;
  // With the extension, any connection can attach an encrypted database, and SQLite writes the
  // temporary files of that through the VFS of the main one.
  if (!atrest_database_is_encrypted(connection) && !has_provider()) return SQLITE_OK;
  int code = sqlite3_exec(connection, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
  return code == SQLITE_OK ? register_export(connection) : code;
}

int atrest_database_register(const char *name, const char *lower_name) {
  int code = sqlite3_initialize();
  if (code != SQLITE_OK) return code;
  // The mutex makes the check and the registration one step. SQLite's own calls take it again, so
  // it must be another one than theirs.
  sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1);
  sqlite3_mutex_enter(mutex);
  sqlite3_vfs *base = sqlite3_vfs_find(lower_name);
  if (sqlite3_vfs_find(name)) {
    code = SQLITE_OK;
  } else if (!base) {
    code = SQLITE_NOTFOUND;
  } else {
    size_t size = strlen(name) + 1;
    // SQLite keeps the VFS until the process ends.
    sqlite3_vfs *vfs = sqlite3_malloc64(sizeof *vfs + size);
    if (vfs) {
      char *copy = memcpy(vfs + 1, name, size);
      *vfs = (sqlite3_vfs){
        .iVersion = 2,
        // Files that are not encrypted are opened by the lower VFS in the same memory.
        .szOsFile = base->szOsFile > (int)sizeof(File) ? base->szOsFile : (int)sizeof(File),
        .mxPathname = base->mxPathname,
        .zName = copy,
        .pAppData = base,
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_pathname,
        .xDlOpen = vfs_dl_open,
        .xDlError = vfs_dl_error,
        .xDlSym = vfs_dl_sym,
        .xDlClose = vfs_dl_close,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_current_time,
        .xGetLastError = vfs_last_error,
        .xCurrentTimeInt64 = vfs_current_time_64,
      };
      code = sqlite3_vfs_register(vfs, 0);
    } else {
      code = SQLITE_NOMEM;
    }
  }
  sqlite3_mutex_leave(mutex);
  // SQLite adds the same function once.
  if (code == SQLITE_OK) code = sqlite3_auto_extension((void (*)(void))prepare_connection);
  return code;
}
