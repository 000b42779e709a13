#include "internal.h"

// The sums of a log. SQLite chains them over plaintext; the file has the chain over ciphertext.

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

bool continues_chain(File *file, sqlite3_int64 frame) {
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

void add_plain_sum(File *file, uint8_t *frame) {
  Log *log = &file->log;
  add_frame_to_sum(file, frame, frame + frame_header_size, log->plain_sum);
  put32(frame + 16, log->plain_sum[0]);
  put32(frame + 20, log->plain_sum[1]);
}

bool has_right_header_sums(const File *file) {
  const uint8_t *header = file->log.header;
  uint32_t sum[2] = {0, 0};
  add_to_sum(file, header, 24, sum);
  return sum[0] == get32(header + 24) && sum[1] == get32(header + 28);
}
