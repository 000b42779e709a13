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
  } else if (is_whole && open_page(file, 1, file->sealed, file->plain) == SQLITE_OK) {
    memcpy(header, file->plain, header_size);
  } else if (!file->is_copy) {
    // The file is new or page 1 is to be rolled back. A new database gets these sizes.
    header[16] = (uint8_t)(cipher->page_size >> 8);
    header[17] = (uint8_t)(cipher->page_size >> 16);
    header[20] = (uint8_t)cipher->reserve;
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

static int main_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  if (count != page_size(file) || offset % count != 0) return SQLITE_IOERR_WRITE;
  int code = fill_gap(file, offset);
  if (code != SQLITE_OK) return code;
  uint32_t page = (uint32_t)(offset / count + 1);
  File *log = file->peer;
  if (log && log->log.opened_page != 0 && memcmp(log->plain, bytes, (size_t)count) == 0) {
    // A checkpoint copies the page that it has just read. It must not become another page.
    if (log->log.opened_page != page) return SQLITE_IOERR_DATA;
    code = lower_write(file, log->sealed + frame_header_size, count, offset);
    if (code == SQLITE_OK && offset == file->known_size) file->known_size += count;
    return code;
  }
  if (file->is_checkpoint) return SQLITE_IOERR_WRITE;
  code = seal_page(file, page, bytes, file->sealed);
  if (code != SQLITE_OK) return code;
  return lower_write(file, file->sealed, count, offset);
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
  LogIndex *index = &file->index;
  if (region >= index->count) {
    int count = region + 1;
    void *larger = sqlite3_realloc64(index->regions, (size_t)count * sizeof *index->regions);
    if (!larger) return SQLITE_NOMEM;
    index->regions = larger;
    while (index->count < count) index->regions[index->count++] = NULL;
  }
  index->regions[region] = *out;
  return code;
}

// The format of the index is documented: a region has the page numbers of 4,096 frames, and the
// first one also has a header of 136 bytes in place of 34 of them.
enum { per_region = 4096, header_words = 34 };

uint32_t index_page(const File *database, sqlite3_int64 frame) {
  if (!database) return 0;
  sqlite3_int64 word = frame + header_words, region = word / per_region;
  if (region >= database->index.count || !database->index.regions[region]) return 0;
  return database->index.regions[region][word % per_region];
}

static int main_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  enum { write_lock = 0, checkpoint_lock = 1 };
  File *file = (File *)base;
  if (!has_shm(lower(file))) return SQLITE_IOERR_SHMLOCK;
  int code = lower(file)->pMethods->xShmLock(lower(file), offset, count, flags);
  if (offset <= checkpoint_lock && checkpoint_lock < offset + count && flags & SQLITE_SHM_EXCLUSIVE) {
    file->is_checkpoint = code == SQLITE_OK && flags & SQLITE_SHM_LOCK;
    file->known_size = 0;
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
  file->index.count = 0;
  file->is_checkpoint = false;
  return has_shm(lower(file)) ? lower(file)->pMethods->xShmUnmap(lower(file), deletes) : SQLITE_OK;
}

// Version 2 has no xFetch, which would map ciphertext into memory.
const sqlite3_io_methods main_methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = main_read,
  .xWrite = main_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
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
