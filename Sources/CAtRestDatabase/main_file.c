#include "internal.h"

// The database file: each page is sealed, with its number.

enum { header_size = 100, peeked_size = 48, greatest_gap = 65536 };

static bool is_zero(const uint8_t *bytes, int count) {
  uint8_t all = 0;
  for (int index = 0; index < count; index += 1) all |= bytes[index];
  return all == 0;
}

static int read_page(File *file, uint8_t *out, sqlite3_int64 offset) {
  int size = page_size(file);
  int code = lower_read(file, file->sealed, size, offset);
  if (code == SQLITE_IOERR_SHORT_READ) {
    // The file ends before the page, or within it.
    memset(out, 0, (size_t)size);
    return is_zero(file->sealed, size) ? code : SQLITE_IOERR_DATA;
  }
  if (code != SQLITE_OK) return code;
  return open_page(file, (uint32_t)(offset / size + 1), file->sealed, out);
}

static void set_sizes(const File *file, uint8_t *header) {
  header[16] = (uint8_t)(page_size(file) >> 8);
  header[17] = (uint8_t)(page_size(file) >> 16);
  header[20] = (uint8_t)file->key->cipher.reserve;
}

// Reads a part of the database's header. SQLite reads all of it when it opens the file, to learn the
// size of a page and of its reserve, and 16 bytes at the beginning of each transaction, to learn
// whether its pages are still current. Only the page itself is authenticated: with other bytes here
// SQLite reads that again.
static int read_header(File *file, uint8_t *out, int count, sqlite3_int64 offset) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  uint8_t header[header_size] = {0};
  int code = lower_read(file, file->sealed, cipher->page_size, 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
  bool is_whole = code == SQLITE_OK;
  if (offset + count <= peeked_size) {
    if (is_whole && cipher->peek(cipher->context, file->sealed, header) != 0)
      return SQLITE_IOERR_READ;
    // With a wrong key, the sizes are not those of the cipher. Page 1 is then refused.
    if (!has_right_sizes(file, header) && !file->is_copy) set_sizes(file, header);
  } else if (is_whole && open_page(file, 1, file->sealed, file->plain) == SQLITE_OK) {
    memcpy(header, file->plain, header_size);
  } else if (!file->is_copy) {
    // The file is new or page 1 is to be rolled back. A new database gets these sizes.
    set_sizes(file, header);
  }
  memcpy(out, header + offset, (size_t)count);
  return SQLITE_OK;
}

static int main_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  int size = page_size(file);
  if (count == size && offset % size == 0) return read_page(file, out, offset);
  if (offset + count <= header_size) return read_header(file, out, count, offset);
  // Some versions of SQLite read a part of an overflow page.
  sqlite3_int64 start = offset - offset % size;
  if (offset + count > start + size) return SQLITE_IOERR_READ;
  int code = read_page(file, file->plain, start);
  memcpy(out, file->plain + (offset - start), (size_t)count);
  return code;
}

// Writes sealed pages of zeros between the end of the file and `offset`. SQLite does not write pages
// that a transaction both made and freed, and a page of zeros in the file would not be authentic.
static int fill_gap(File *file, sqlite3_int64 offset) {
  sqlite3_int64 size = page_size(file), end = 0;
  if (file->is_checkpoint && offset <= file->known_size) return SQLITE_OK;
  int code = file_size(&file->base, &end);
  file->known_size = end;
  if (code != SQLITE_OK || end >= offset) return code;
  // A journal can demand any size. In a greater gap, the pages are refused if they are ever read.
  if ((offset - end) / size > greatest_gap) return SQLITE_OK;
  memset(file->plain, 0, (size_t)size);
  for (end -= end % size; end < offset; end += size) {
    // Page 1 has a header, and the page with the locks is never written.
    if (end == 0 || end == 0x40000000) continue;
    code = seal_page(file, (uint32_t)(end / size + 1), file->plain, file->sealed);
    if (code == SQLITE_OK) code = lower_write(file, file->sealed, (int)size, end);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

// Remembers the last of the frames that a checkpoint has copied, and the size of the database that it has if
// it ends a transaction.
static void note_copied(File *file, const uint8_t *frame, sqlite3_int64 offset) {
  if (offset <= file->top_frame) return;
  file->top_frame = offset;
  file->copied_size = get32(frame + 4);
}

static int main_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  if (count != page_size(file) || offset % count != 0) return SQLITE_IOERR_WRITE;
  int code = fill_gap(file, offset);
  if (code != SQLITE_OK) return code;
  uint32_t page = (uint32_t)(offset / count + 1);
  File *log = file->peer, *journal = file->journal_file;
  if (log && log->log.opened_page != 0 && memcmp(log->plain, bytes, (size_t)count) == 0) {
    // A checkpoint copies the page that it has just read. It must not become another page.
    if (log->log.opened_page != page) return SQLITE_IOERR_DATA;
    code = lower_write(file, log->sealed + frame_header_size, count, offset);
    if (code == SQLITE_OK && offset == file->known_size) file->known_size += count;
    if (code == SQLITE_OK) note_copied(file, log->sealed, log->log.loaded_at);
    return code;
  }
  if (file->is_checkpoint) return SQLITE_IOERR_WRITE;
  // A rollback writes the page that it has just read, as it is.
  if (journal && journal->journal.opened_page == page
    && memcmp(journal->plain, bytes, (size_t)count) == 0) {
    journal->journal.opened_page = 0;
    return lower_write(file, journal->sealed, count, offset);
  }
  code = seal_page(file, page, bytes, file->sealed);
  if (code != SQLITE_OK) return code;
  return lower_write(file, file->sealed, count, offset);
}

// With a log, this is the end of a checkpoint: SQLite has copied the whole log, sets the size of the database,
// and gives the log up. Its last frame must end a transaction, and have this size.
static int main_truncate(sqlite3_file *base, sqlite3_int64 size) {
  File *file = (File *)base;
  if (file->peer && size != (sqlite3_int64)file->copied_size * page_size(file)) {
    sqlite3_log(SQLITE_IOERR_DATA, "AtRest: the index of the log ends within a transaction");
    return SQLITE_IOERR_DATA;
  }
  return file_truncate(base, size);
}

// Returns true if the path names another file by now, or none.
static bool is_moved(File *file) {
  int is_moved = 0;
  int code = file_control(&file->base, SQLITE_FCNTL_HAS_MOVED, &is_moved);
  return code == SQLITE_OK && is_moved;
}

static int refuse_moved(void) {
  sqlite3_log(SQLITE_READONLY_DBMOVED, "AtRest: the database was replaced or removed while it was open");
  return SQLITE_READONLY_DBMOVED;
}

// Returns SQLITE_INTERRUPT if the key may not be used any more. This is asked at the beginning of each
// transaction, because a notice from another process can come late.
static int check_key(File *file) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  return !cipher->may_begin || cipher->may_begin(cipher->context) == 0 ? SQLITE_OK : SQLITE_INTERRUPT;
}

// A connection that opened the file before it was replaced must not go on with the former one. If it has not locked
// that yet, it takes the new one: whoever waits for a rekey waits at the first lock.
static int main_lock(sqlite3_file *base, int level) {
  File *file = (File *)base;
  int code = file_lock(base, level);
  if (level != SQLITE_LOCK_SHARED) return code;
  for (int attempt = 0; attempt < 5 && code == SQLITE_OK && file->opening.vfs && is_moved(file); attempt += 1) {
    file_unlock(base, SQLITE_LOCK_NONE);
    code = reopen_database(file);
    if (code == SQLITE_OK) code = file_lock(base, level);
  }
  if (code != SQLITE_OK) return code;
  code = is_moved(file) ? refuse_moved() : check_key(file);
  if (code == SQLITE_OK) file->opening.vfs = NULL;
  else file_unlock(base, SQLITE_LOCK_NONE);
  return code;
}

static bool has_shm(const sqlite3_file *file) {
  return file->pMethods->iVersion >= 2 && file->pMethods->xShmMap;
}

static int main_shm_map(
  sqlite3_file *base, int region, int size, int extends, void volatile **out
) {
  File *file = (File *)base;
  if (!has_shm(lower(file))) return SQLITE_IOERR_SHMMAP;
  int code = lower(file)->pMethods->xShmMap(lower(file), region, size, extends, out);
  if (code != SQLITE_OK || !*out || region < 0) return code;
  return index_add(file, region, *out);
}

static int main_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  enum { write_lock = 0, checkpoint_lock = 1, first_read_lock = 3 };
  File *file = (File *)base;
  if (!has_shm(lower(file))) return SQLITE_IOERR_SHMLOCK;
  int code = lower(file)->pMethods->xShmLock(lower(file), offset, count, flags);
  if (offset <= checkpoint_lock && checkpoint_lock < offset + count && flags & SQLITE_SHM_EXCLUSIVE) {
    file->is_checkpoint = code == SQLITE_OK && flags & SQLITE_SHM_LOCK;
    file->known_size = 0;
    forget_copied(file);
  }
  if (code == SQLITE_OK && offset == write_lock && flags == (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)
    && is_moved(file)) {
    lower(file)->pMethods->xShmLock(lower(file), offset, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
    code = refuse_moved();
  }
  if (code == SQLITE_OK && offset >= first_read_lock && flags == (SQLITE_SHM_LOCK | SQLITE_SHM_SHARED)) {
    code = check_key(file);
    if (code != SQLITE_OK) {
      lower(file)->pMethods->xShmLock(lower(file), offset, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
    }
  }
  // A transaction begins or ends. Other connections may write to the log between two of them.
  if (offset == write_lock && file->peer) drop_frames(file->peer);
  return code;
}

static void main_shm_barrier(sqlite3_file *base) {
  sqlite3_file *file = lower((File *)base);
  if (has_shm(file)) file->pMethods->xShmBarrier(file);
}

static int main_shm_unmap(sqlite3_file *base, int deletes) {
  File *file = (File *)base;
  index_forget(file);
  file->is_checkpoint = false;
  return has_shm(lower(file)) ? lower(file)->pMethods->xShmUnmap(lower(file), deletes) : SQLITE_OK;
}

// Version 2 has no xFetch, which would map ciphertext into memory.
const sqlite3_io_methods main_methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = main_read,
  .xWrite = main_write,
  .xTruncate = main_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = main_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
  .xShmMap = main_shm_map,
  .xShmLock = main_shm_lock,
  .xShmBarrier = main_shm_barrier,
  .xShmUnmap = main_shm_unmap,
};
