#include "internal.h"

// The checkpoint of a database with a state file. Such a database is written by checkpoints only. The
// state says so before the first page is written, and describes the database again after all pages of
// the log are in it and durable.

static int read_reserve(void *context, uint32_t page, uint8_t *reserve) {
  File *file = context;
  return lower_read(file, reserve, reserve_size, (sqlite3_int64)page * page_size(file) - reserve_size);
}

// Reads the number of frames and of pages from the index, whose header exists twice because
// transactions change it meanwhile.
static int read_index(File *file, uint32_t *frame_count, uint32_t *page_count) {
  enum { copy_words = 12, frame_word = 4, page_word = 5, tries = 1000 };
  int code = index_map(file);
  for (int turn = 0; code == SQLITE_OK && turn < tries; turn += 1) {
    uint32_t first[copy_words], second[copy_words];
    uint32_t const volatile *words = file->index.regions[0];
    for (int word = 0; word < copy_words; word += 1) first[word] = words[word];
    atomic_thread_fence(memory_order_seq_cst);
    for (int word = 0; word < copy_words; word += 1) second[word] = words[copy_words + word];
    if (memcmp(first, second, sizeof first) != 0) continue;
    *frame_count = first[frame_word];
    *page_count = first[page_word];
    return SQLITE_OK;
  }
  return code == SQLITE_OK ? SQLITE_BUSY : code;
}

static int begin(File *file) {
  File *log = file->peer;
  atrest_checkpoint checkpoint = {.database = file, .read = read_reserve};
  if (!log) return SQLITE_IOERR_WRITE;
  int code = read_index(file, &checkpoint.frame_count, &checkpoint.page_count);
  size_t count = checkpoint.frame_count;
  if (code != SQLITE_OK || count == 0) return code == SQLITE_OK ? SQLITE_IOERR_WRITE : code;
  uint8_t *reserves = sqlite3_malloc64(count * (reserve_size + sizeof(uint32_t)));
  if (!reserves) return SQLITE_NOMEM;
  uint32_t *pages = (uint32_t *)(reserves + count * reserve_size);
  code = check_frames(log, &checkpoint, pages, reserves);
  // The frames must outlast the pages that are overwritten, also with synchronous=OFF.
  if (code == SQLITE_OK) code = file_sync(&log->base, SQLITE_SYNC_NORMAL);
  checkpoint.pages = pages;
  checkpoint.reserves = reserves;
  if (code == SQLITE_OK && keeper(file)->begin(file->key->cipher.context, &checkpoint) != 0)
    code = SQLITE_IOERR_DATA;
  if (code == SQLITE_OK) file->checkpoint_size = checkpoint.page_count;
  sqlite3_free(reserves);
  return code;
}

static int write_sealed(File *file, uint32_t page, const uint8_t *sealed) {
  int size = page_size(file);
  const uint8_t *reserve = sealed + size - reserve_size;
  if (keeper(file)->write(file->key->cipher.context, page, reserve) != 0) return SQLITE_IOERR_DATA;
  return lower_write(file, sealed, size, (sqlite3_int64)(page - 1) * size);
}

int checkpoint_write(File *file, uint32_t page, const uint8_t *bytes) {
  File *log = file->peer;
  // A checkpoint copies the page that it has just read. It must not become another page.
  if (!log || log->log.opened_page != page
    || memcmp(log->plain, bytes, (size_t)page_size(file)) != 0)
    return SQLITE_IOERR_DATA;
  if (file->checkpoint_size == 0) {
    int code = begin(file);
    if (code != SQLITE_OK) return code;
  }
  return write_sealed(file, page, log->sealed + frame_header_size);
}

// Writes the pages that the state still misses: those that an earlier checkpoint copied, and those
// that transactions made and freed without writing them.
static int write_missing(File *file) {
  File *log = file->peer;
  uint32_t page = 0;
  int64_t frame = 0;
  while (keeper(file)->missing(file->key->cipher.context, &page, &frame)) {
    int code;
    if (frame >= 0) {
      code = load_frame(log, log_header_size + frame * frame_size(log));
      if (code == SQLITE_OK && get32(log->sealed) != page) code = SQLITE_IOERR_DATA;
      if (code == SQLITE_OK)
        code = open_page(log, page, log->sealed + frame_header_size, log->plain);
      if (code == SQLITE_OK) code = write_sealed(file, page, log->sealed + frame_header_size);
    } else {
      memset(file->plain, 0, (size_t)page_size(file));
      code = seal_page(file, page, file->plain, file->sealed);
      if (code == SQLITE_OK) code = write_sealed(file, page, file->sealed);
    }
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

// SQLite sets the size of the database when a checkpoint has copied all frames.
int checkpoint_end(File *file, sqlite3_int64 size) {
  if (!file->peer) return SQLITE_IOERR_TRUNCATE;
  int code = file->checkpoint_size ? SQLITE_OK : begin(file);
  if (code == SQLITE_OK && size != (sqlite3_int64)file->checkpoint_size * page_size(file))
    code = SQLITE_IOERR_TRUNCATE;
  if (code == SQLITE_OK) code = write_missing(file);
  if (code == SQLITE_OK) code = file_truncate(&file->base, size);
  if (code == SQLITE_OK) code = file_sync(&file->base, SQLITE_SYNC_NORMAL);
  if (code == SQLITE_OK && keeper(file)->end(file->key->cipher.context) != 0)
    code = SQLITE_IOERR_FSYNC;
  file->checkpoint_size = 0;
  return code;
}
