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
  if (file->peer) forget_copied(file->peer);
  log->loaded_at = log->chained_at = -1;
  log->opened_page = 0;
  return lower_write(file, bytes, count, offset);
}

static int log_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  int code = write_all(file);
  if (code == SQLITE_OK) code = check_lost(file, offset);
  if (code != SQLITE_OK) return code;
  if (count == page_size(file) && is_in_frame(file, offset, frame_header_size))
    return read_log_page(file, out, offset - frame_header_size);
  if (count == frame_size(file) && is_in_frame(file, offset, 0))
    return read_frame(file, out, offset);
  if (count == log_header_size && offset == 0) return read_log_header(file, out);
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
