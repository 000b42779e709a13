#include "internal.h"

// What the encrypted files have in common.

// Returns true if a database with this header has pages of the cipher's size, with space for the
// reserve. VACUUM and the backup API can write another one, which could never be read again.
static bool has_right_sizes(const File *file, const uint8_t *header) {
  return (header[16] << 8 | header[17] << 16) == page_size(file)
    && header[20] >= file->key->cipher.reserve;
}

int check_page(const File *file, uint32_t page, const uint8_t *plain) {
  bool is_right = page != 0 && (page != 1 || has_right_sizes(file, plain));
  return is_right ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int seal_page(File *file, uint32_t page, const uint8_t *plain, uint8_t *sealed) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  int code = check_page(file, page, plain);
  if (code != SQLITE_OK) return code;
  if (cipher->seal(cipher->context, page, plain, sealed) != 0) return SQLITE_IOERR_WRITE;
  return SQLITE_OK;
}

int open_page(File *file, uint32_t page, const uint8_t *sealed, uint8_t *plain) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  if (page != 0 && cipher->open(cipher->context, page, sealed, plain) == 0) {
    atomic_store_explicit(&file->key->is_confirmed, true, memory_order_relaxed);
    return SQLITE_OK;
  }
  memset(plain, 0, (size_t)cipher->page_size);
  // As long as no page was authentic, the key may be the wrong one.
  bool is_confirmed = atomic_load_explicit(&file->key->is_confirmed, memory_order_relaxed);
  return is_confirmed ? SQLITE_IOERR_DATA : SQLITE_NOTADB;
}

int file_close(sqlite3_file *base) {
  File *file = (File *)base;
  if (file->peer) file->peer->peer = NULL;
  int code = lower(file)->pMethods->xClose(lower(file));
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
