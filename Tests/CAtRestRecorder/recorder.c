#include "CAtRestRecorder.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// An event: its kind, the size of the name, the name, the offset, the size of the bytes, the bytes.
// Numbers are little-endian, as in memory.

static int recording = -1;
// The number of events until the process is killed, or 0.
static int remaining;
// The number of writes until the disk is full, plus 1, or 0 if it never is.
static int space;
static sqlite3_vfs *base;

typedef struct {
  sqlite3_file file;
  const char *name;
} File;

static sqlite3_file *lower(sqlite3_file *file) { return (sqlite3_file *)((File *)file + 1); }

static void record(
  char kind, const char *name, sqlite3_int64 offset, const void *bytes, int count
) {
  if (kind != 'm' && remaining > 0 && --remaining == 0) kill(getpid(), SIGKILL);
  uint32_t name_size = name ? (uint32_t)strlen(name) : 0, size = (uint32_t)count;
  struct iovec parts[] = {
    {&kind, 1}, {&name_size, 4}, {(void *)name, name_size}, {&offset, 8}, {&size, 4},
    {(void *)bytes, size},
  };
  if (writev(recording, parts, 6) < 0) _exit(9);
}

void atrest_record_kill(int number) { remaining = number; }

void atrest_record_full(int number) { space = number; }

void atrest_record_mark(void) { record('m', NULL, 0, NULL, 0); }

static int file_close(sqlite3_file *file) { return lower(file)->pMethods->xClose(lower(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return lower(file)->pMethods->xRead(lower(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (space == 1) return SQLITE_FULL;
  if (space > 1) space -= 1;
  record('w', ((File *)file)->name, offset, bytes, count);
  return lower(file)->pMethods->xWrite(lower(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  record('t', ((File *)file)->name, size, NULL, 0);
  return lower(file)->pMethods->xTruncate(lower(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  record('s', ((File *)file)->name, 0, NULL, 0);
  return lower(file)->pMethods->xSync(lower(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return lower(file)->pMethods->xFileSize(lower(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  return lower(file)->pMethods->xLock(lower(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return lower(file)->pMethods->xUnlock(lower(file), level);
}

static int file_check_lock(sqlite3_file *file, int *result) {
  return lower(file)->pMethods->xCheckReservedLock(lower(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return lower(file)->pMethods->xFileControl(lower(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return lower(file)->pMethods->xSectorSize(lower(file));
}

static int file_characteristics(sqlite3_file *file) {
  return lower(file)->pMethods->xDeviceCharacteristics(lower(file));
}

static int shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **out) {
  return lower(file)->pMethods->xShmMap(lower(file), region, size, extends, out);
}

static int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return lower(file)->pMethods->xShmLock(lower(file), offset, count, flags);
}

static void shm_barrier(sqlite3_file *file) { lower(file)->pMethods->xShmBarrier(lower(file)); }

static int shm_unmap(sqlite3_file *file, int deletes) {
  return lower(file)->pMethods->xShmUnmap(lower(file), deletes);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
  .xShmMap = shm_map,
  .xShmLock = shm_lock,
  .xShmBarrier = shm_barrier,
  .xShmUnmap = shm_unmap,
};

static int vfs_open(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags
) {
  (void)vfs;
  file->pMethods = NULL;
  ((File *)file)->name = name ? name : "(temporary)";
  int code = base->xOpen(base, name, lower(file), flags, out_flags);
  if (code == SQLITE_OK) file->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
  (void)vfs;
  record('d', name, syncs_folder, NULL, 0);
  return base->xDelete(base, name, syncs_folder);
}

int atrest_record_writes(const char *path) {
  recording = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (recording < 0) return -1;
  base = sqlite3_vfs_find(NULL);
  if (!base) return -1;
  static sqlite3_vfs vfs;
  vfs = *base;
  vfs.szOsFile += (int)sizeof(File);
  vfs.zName = "recorder";
  vfs.xOpen = vfs_open;
  vfs.xDelete = vfs_delete;
  return sqlite3_vfs_register(&vfs, 1);
}
