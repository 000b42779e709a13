#include "internal.h"

// Reading the frames of a log: a page for SQLite, a page for a checkpoint, or a whole frame for a recovery.

int load_frame(File *file, sqlite3_int64 offset) {
  Log *log = &file->log;
  log->opened_page = 0;
  log->loaded_at = -1;
  int code = lower_read(file, file->sealed, (int)frame_size(file), offset);
  if (code == SQLITE_OK) log->loaded_at = offset;
  return code;
}

int read_log_page(File *file, uint8_t *out, sqlite3_int64 offset) {
  Log *log = &file->log;
  int code = load_frame(file, offset);
  if (code != SQLITE_OK) return code;
  uint32_t page = get32(file->sealed);
  // The index says which page SQLite expects. Frames that were exchanged in the file are authentic. SQLite
  // has looked into the index before, so a process that changes it meanwhile is not detected.
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

// Returns true if a page in the log shows that the key is the right one.
static bool has_evidence(File *file) {
  uint8_t header[frame_header_size];
  sqlite3_int64 offset = log_header_size;
  for (; lower_read(file, header, sizeof header, offset) == SQLITE_OK; offset += frame_size(file))
    if (is_evidence(file, get32(header), offset + frame_header_size)) return true;
  return false;
}

int read_log_header(File *file, uint8_t *out) {
  Log *log = &file->log;
  int code = lower_read(file, out, log_header_size, 0);
  log->header_is_known = code == SQLITE_OK;
  memcpy(log->header, out, log_header_size);
  log->next_frame = 0;
  log->opened_page = 0;
  log->loaded_at = -1;
  if (code != SQLITE_OK) return code;
  // The log of another database, which may be in plaintext. With wrong sums, SQLite ignores it.
  if (get32(out + 8) != (uint32_t)page_size(file))
    return has_right_header_sums(file) ? SQLITE_IOERR_DATA : SQLITE_OK;
  return check_owner(file, has_evidence);
}

int read_frame(File *file, uint8_t *out, sqlite3_int64 offset) {
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
    add_plain_sum(file, out);
  } else {
    // With other salts, a recovery ends before this frame. SQLite does not look at them when it
    // writes the headers of frames again.
    for (int index = 8; index < 16; index += 1) out[index] = (uint8_t)~out[index];
  }
  return SQLITE_OK;
}
