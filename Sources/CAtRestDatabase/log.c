#include "internal.h"

// The write-ahead log: a header of 32 bytes, and frames. A frame has a header of 24 bytes (page
// number, size of the database after a commit, two salts, two sums) and a page. The sums are
// chained over all frames. SQLite chains them over plaintext; the file has the chain over
// ciphertext, like SQLCipher's. SQLite compares sums with the file only when it recovers a log, and
// then reads whole frames, in order.

// Returns true if a frame begins `distance` bytes before `offset`.
static bool is_in_frame(const File *file, sqlite3_int64 offset, int distance) {
  sqlite3_int64 start = offset - distance - log_header_size;
  return start >= 0 && start % frame_size(file) == 0;
}

static uint32_t word_at(const uint8_t *bytes, bool is_big_endian) {
  uint32_t word = get32(bytes);
  return is_big_endian ? word : __builtin_bswap32(word);
}

static void add_to_sum(const File *file, const uint8_t *bytes, int count, uint32_t sum[2]) {
  bool is_big_endian = file->log.header[3] & 1;
  for (int index = 0; index + 8 <= count; index += 8) {
    sum[0] += word_at(bytes + index, is_big_endian) + sum[1];
    sum[1] += word_at(bytes + index + 4, is_big_endian) + sum[0];
  }
}

static void add_frame_to_sum(
  const File *file, const uint8_t *header, const uint8_t *page, uint32_t sum[2]
) {
  add_to_sum(file, header, 8, sum);
  add_to_sum(file, page, page_size(file), sum);
}

// Loads the header of the log unless it is known and has the salts of a frame.
static int load_header(File *file, const uint8_t *frame) {
  Log *log = &file->log;
  if (log->header_is_known && memcmp(log->header + 16, frame + 8, 8) == 0) return SQLITE_OK;
  int code = lower_read(file, log->header, log_header_size, 0);
  log->header_is_known = code == SQLITE_OK;
  if (code != SQLITE_OK) return code;
  return memcmp(log->header + 16, frame + 8, 8) == 0 ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

// The sums continue those of the frame before it, which another connection may have written in an
// earlier transaction. A frame has no salts if SQLite has overwritten one before it: SQLite writes its
// header again at the end of the transaction.
int chain_frame(File *file, uint8_t *frame, sqlite3_int64 offset) {
  static const uint8_t no_salts[8];
  Log *log = &file->log;
  uint8_t *sums = frame + 16;
  if (memcmp(frame + 8, no_salts, 8) == 0) {
    memset(sums, 0, 8);
    log->chained_at = -1;
    return SQLITE_OK;
  }
  int code = load_header(file, frame);
  if (code != SQLITE_OK) return code;
  sqlite3_int64 before = offset - frame_size(file);
  if (offset == log_header_size) {
    memcpy(log->last_sums, log->header + 24, 8);
  } else if (log->chained_at != before) {
    code = lower_read(file, log->last_sums, 8, before + 16);
    if (code != SQLITE_OK) return code;
  }
  uint32_t sum[2] = {get32(log->last_sums), get32(log->last_sums + 4)};
  add_frame_to_sum(file, frame, frame + frame_header_size, sum);
  put32(sums, sum[0]);
  put32(sums + 4, sum[1]);
  memcpy(log->last_sums, sums, 8);
  log->chained_at = offset;
  return SQLITE_OK;
}

int load_frame(File *file, sqlite3_int64 offset) {
  Log *log = &file->log;
  log->opened_page = 0;
  log->loaded_at = -1;
  int code = lower_read(file, file->sealed, (int)frame_size(file), offset);
  if (code == SQLITE_OK) log->loaded_at = offset;
  return code;
}

// Gives the frame in `sealed`, whose page is in the file, another header.
static int rewrite_header(File *file, const uint8_t *header) {
  sqlite3_int64 offset = file->log.loaded_at;
  memcpy(file->sealed, header, 16);
  int code = chain_frame(file, file->sealed, offset);
  if (code != SQLITE_OK) return code;
  return lower_write(file, file->sealed, frame_header_size, offset);
}

// Writes a header that was held back but whose page did not follow.
static int write_held(File *file) {
  Log *log = &file->log;
  sqlite3_int64 offset = log->held_at;
  if (offset < 0) return SQLITE_OK;
  log->held_at = -1;
  int code = load_frame(file, offset);
  return code == SQLITE_OK ? rewrite_header(file, log->held) : code;
}

static int write_header(File *file, const uint8_t *header, sqlite3_int64 offset) {
  Log *log = &file->log;
  // At the end of a transaction that overwrote pages in the log, SQLite reads the frames and writes
  // their headers again.
  if (log->loaded_at == offset && memcmp(file->sealed, header, 8) == 0)
    return rewrite_header(file, header);
  // Otherwise the page follows, and both are written at once.
  int code = begin_frame(file, offset);
  if (code != SQLITE_OK) return code;
  memcpy(log->held, header, frame_header_size);
  log->held_at = offset;
  return SQLITE_OK;
}

// Writes a page that the same transaction has already written to the log. SQLite writes the headers
// from here on again, at the end of the transaction.
static int overwrite_page(File *file, const uint8_t *plain, sqlite3_int64 offset) {
  int code = flush_frames(file);
  if (code == SQLITE_OK) code = check_lost(file, offset);
  if (code == SQLITE_OK) code = lower_read(file, file->sealed, frame_header_size, offset);
  if (code != SQLITE_OK) return code;
  code = seal_page(file, get32(file->sealed), plain, file->sealed + frame_header_size);
  if (code == SQLITE_OK) code = chain_frame(file, file->sealed, offset);
  if (code != SQLITE_OK) return code;
  return lower_write(file, file->sealed, (int)frame_size(file), offset);
}

static int write_page(File *file, const uint8_t *plain, sqlite3_int64 offset) {
  Log *log = &file->log;
  bool has_header = log->held_at == offset;
  log->opened_page = 0;
  log->loaded_at = log->held_at = -1;
  return has_header ? add_frame(file, log->held, plain, offset) : overwrite_page(file, plain, offset);
}

// Writes what was held back.
static int write_all(File *file) {
  int code = flush_frames(file);
  return code == SQLITE_OK ? write_held(file) : code;
}

static int log_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  Log *log = &file->log;
  if (count == page_size(file) && is_in_frame(file, offset, frame_header_size))
    return write_page(file, bytes, offset - frame_header_size);
  int code = write_held(file);
  if (code != SQLITE_OK) return code;
  if (count == frame_header_size && is_in_frame(file, offset, 0))
    return write_header(file, bytes, offset);
  code = begin_frame(file, offset);
  if (code != SQLITE_OK) return code;
  if (count != log_header_size || offset != 0) return SQLITE_IOERR_WRITE;
  memcpy(log->header, bytes, log_header_size);
  log->header_is_known = true;
  log->loaded_at = log->chained_at = -1;
  log->opened_page = 0;
  return lower_write(file, bytes, count, offset);
}

static int read_page(File *file, uint8_t *out, sqlite3_int64 offset) {
  Log *log = &file->log;
  int code = load_frame(file, offset);
  if (code != SQLITE_OK) return code;
  uint32_t page = get32(file->sealed);
  // The index says which page SQLite expects. Frames that were exchanged in the file are authentic.
  uint32_t expected = index_page(file->peer, (offset - log_header_size) / frame_size(file));
  if (expected != 0 && expected != page) {
    memset(out, 0, (size_t)page_size(file));
    return SQLITE_IOERR_DATA;
  }
  if (file->peer && file->peer->is_checkpoint)
    memcpy(file->plain, file->sealed + frame_header_size, (size_t)page_size(file));
  else code = open_page(file, page, file->sealed + frame_header_size, file->plain);
  memcpy(out, file->plain, (size_t)page_size(file));
  log->opened_page = code == SQLITE_OK ? page : 0;
  return code;
}

// Returns true if the frame in `sealed` is the next one of a recovery and its sums are right, and
// adds it to the chain.
static bool continues_chain(File *file, sqlite3_int64 frame) {
  Log *log = &file->log;
  if (!log->header_is_known || memcmp(log->header + 16, file->sealed + 8, 8) != 0) return false;
  if (frame == 0) {
    log->plain_sum[0] = log->sealed_sum[0] = get32(log->header + 24);
    log->plain_sum[1] = log->sealed_sum[1] = get32(log->header + 28);
  } else if (frame != log->next_frame) {
    return false;
  }
  uint32_t sum[2] = {log->sealed_sum[0], log->sealed_sum[1]};
  add_frame_to_sum(file, file->sealed, file->sealed + frame_header_size, sum);
  if (sum[0] != get32(file->sealed + 16) || sum[1] != get32(file->sealed + 20)) return false;
  memcpy(log->sealed_sum, sum, sizeof sum);
  log->next_frame = frame + 1;
  return true;
}

static int read_frame(File *file, uint8_t *out, sqlite3_int64 offset) {
  Log *log = &file->log;
  int code = load_frame(file, offset);
  if (code != SQLITE_OK) {
    memset(out, 0, (size_t)frame_size(file));
    return code;
  }
  memcpy(out, file->sealed, frame_header_size);
  uint8_t *page = out + frame_header_size;
  sqlite3_int64 frame = (offset - log_header_size) / frame_size(file);
  bool is_next = continues_chain(file, frame);
  code = open_page(file, get32(file->sealed), file->sealed + frame_header_size, page);
  if (is_next) {
    // The sums are not secret. A page that is not authentic was damaged on purpose, or the key is
    // another one.
    if (code != SQLITE_OK) return code;
    add_frame_to_sum(file, out, page, log->plain_sum);
    put32(out + 16, log->plain_sum[0]);
    put32(out + 20, log->plain_sum[1]);
  } else {
    // With other salts, a recovery ends before this frame. SQLite does not look at them when it
    // writes the headers of frames again.
    for (int index = 8; index < 16; index += 1) out[index] = (uint8_t)~out[index];
  }
  return SQLITE_OK;
}

static int read_header(File *file, uint8_t *out) {
  Log *log = &file->log;
  int code = lower_read(file, out, log_header_size, 0);
  log->header_is_known = code == SQLITE_OK;
  memcpy(log->header, out, log_header_size);
  log->next_frame = 0;
  if (code != SQLITE_OK) return code;
  if (get32(out + 8) == (uint32_t)page_size(file)) return code;
  // The log of another database, which may be in plaintext. With wrong sums, SQLite ignores it.
  uint32_t sum[2] = {0, 0};
  add_to_sum(file, out, 24, sum);
  bool is_right = sum[0] == get32(out + 24) && sum[1] == get32(out + 28);
  return is_right ? SQLITE_IOERR_DATA : SQLITE_OK;
}

static int log_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  int code = write_all(file);
  if (code == SQLITE_OK) code = check_lost(file, offset);
  if (code != SQLITE_OK) return code;
  if (count == page_size(file) && is_in_frame(file, offset, frame_header_size))
    return read_page(file, out, offset - frame_header_size);
  if (count == frame_size(file) && is_in_frame(file, offset, 0))
    return read_frame(file, out, offset);
  if (count == log_header_size && offset == 0) return read_header(file, out);
  // Beside these, SQLite reads only sums. Other sizes would be those of a log with other pages.
  if (count != 8 || (offset != 24 && !is_in_frame(file, offset, 16))) return SQLITE_IOERR_READ;
  return lower_read(file, out, count, offset);
}

static int log_close(sqlite3_file *base) {
  free_frames((File *)base);
  return file_close(base);
}

static int log_size(sqlite3_file *base, sqlite3_int64 *size) {
  File *file = (File *)base;
  int code = write_all(file);
  return code == SQLITE_OK ? file_size(base, size) : code;
}

static int log_truncate(sqlite3_file *base, sqlite3_int64 size) {
  File *file = (File *)base;
  int code = write_all(file);
  file->log.loaded_at = -1;
  file->log.opened_page = 0;
  return code == SQLITE_OK ? file_truncate(base, size) : code;
}

static int log_sync(sqlite3_file *base, int flags) {
  int code = write_all((File *)base);
  return code == SQLITE_OK ? file_sync(base, flags) : code;
}

const sqlite3_io_methods log_methods = {
  .iVersion = 1,
  .xClose = log_close,
  .xRead = log_read,
  .xWrite = log_write,
  .xTruncate = log_truncate,
  .xSync = log_sync,
  .xFileSize = log_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
};
