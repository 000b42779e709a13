#include "internal.h"

// The log of a database with a state file. On the disk, the last 8 bytes of its header are the sequence
// number of the state in which it was begun, and a frame has a code of 16 bytes in place of salts and
// sums. A code depends on the code before it, and the first one on the header, so a log is recovered
// only as it was written, and only with the state that it belongs to.

// The version of the log that all versions of SQLite write.
enum { log_version = 3007000 };

static void put64(uint8_t *bytes, uint64_t value) {
  put32(bytes, (uint32_t)(value >> 32));
  put32(bytes + 4, (uint32_t)value);
}

static uint64_t get64(const uint8_t *bytes) {
  return (uint64_t)get32(bytes) << 32 | get32(bytes + 4);
}

static sqlite3_int64 frame_offset(const File *file, sqlite3_int64 frame) {
  return log_header_size + frame * frame_size(file);
}

static int load_state(File *file, atrest_state *state) {
  memset(state, 0, sizeof *state);
  return keeper(file)->load(file->key->cipher.context, state) == 0 ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int refuse(File *file, int reason) {
  keeper(file)->refuse(file->key->cipher.context, reason);
  return SQLITE_IOERR_DATA;
}

// Computes the code of a frame from the code before it, or from nothing for the header of the log.
static void compute_code(
  File *file, const uint8_t *previous, const uint8_t *header, const uint8_t *reserve, uint8_t *code
) {
  uint8_t bytes[code_size + 8 + reserve_size];
  memcpy(bytes, previous, code_size);
  memcpy(bytes + code_size, header, 8);
  memcpy(bytes + code_size + 8, reserve, reserve_size);
  keeper(file)->code(file->key->cipher.context, bytes, sizeof bytes, code);
}

static void compute_first(File *file, const uint8_t *stored, uint8_t *code) {
  keeper(file)->code(file->key->cipher.context, stored, log_header_size, code);
}

// Loads the header of the log unless it is known and has the salts of a frame.
static int load_coded_header(File *file, const uint8_t *frame) {
  Log *log = &file->log;
  if (log->header_is_known && memcmp(log->header + 16, frame + 8, 8) == 0) return SQLITE_OK;
  int code = lower_read(file, log->stored, log_header_size, 0);
  log->header_is_known = code == SQLITE_OK;
  if (code != SQLITE_OK) return code;
  memcpy(log->header, log->stored, log_header_size);
  log->chained_at = -1;
  return memcmp(log->header + 16, frame + 8, 8) == 0 ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

// Sets the code of a frame, or zeros if it has none before the end of the transaction.
int code_frame(File *file, uint8_t *frame, sqlite3_int64 offset, bool has_salts) {
  Log *log = &file->log;
  uint8_t previous[code_size];
  if (!has_salts) {
    memset(frame + 8, 0, code_size);
    log->chained_at = -1;
    return SQLITE_OK;
  }
  int code = load_coded_header(file, frame);
  if (code != SQLITE_OK) return code;
  sqlite3_int64 before = offset - frame_size(file);
  if (offset == log_header_size) {
    compute_first(file, log->stored, previous);
  } else if (log->chained_at == before) {
    memcpy(previous, log->last_link, code_size);
  } else {
    code = lower_read(file, previous, code_size, before + 8);
    if (code != SQLITE_OK) return code;
  }
  compute_code(file, previous, frame, frame + frame_size(file) - reserve_size, frame + 8);
  memcpy(log->last_link, frame + 8, code_size);
  log->chained_at = offset;
  return SQLITE_OK;
}

// Returns true if the frame in `sealed` is the next one of a recovery and its code is right.
bool continues_codes(File *file, sqlite3_int64 frame) {
  Log *log = &file->log;
  uint8_t code[code_size];
  if (!log->header_is_known) return false;
  if (frame == 0) {
    log->plain_sum[0] = get32(log->header + 24);
    log->plain_sum[1] = get32(log->header + 28);
    compute_first(file, log->stored, log->code);
  } else if (frame != log->next_frame) {
    return false;
  }
  const uint8_t *reserve = file->sealed + frame_size(file) - reserve_size;
  compute_code(file, log->code, file->sealed, reserve, code);
  if (memcmp(code, file->sealed + 8, code_size) != 0) return false;
  memcpy(log->code, code, code_size);
  log->next_frame = frame + 1;
  return true;
}

// Returns true if a power loss can have kept a part of a frame. Those that a checkpoint copied were
// durable before.
bool may_be_torn(const File *file, sqlite3_int64 frame) {
  return keeper(file) && frame >= file->log.copied_count;
}

int write_coded_header(File *file, const uint8_t *bytes) {
  Log *log = &file->log;
  atrest_state state;
  int code = load_state(file, &state);
  // SQLite begins a log only when all pages of the one before are in the database.
  if (code == SQLITE_OK && state.is_checkpointing) code = SQLITE_IOERR_DATA;
  log->header_is_known = code == SQLITE_OK;
  if (code != SQLITE_OK) return code;
  memcpy(log->stored, bytes, 24);
  put64(log->stored + 24, state.sequence);
  log->chained_at = -1;
  return lower_write(file, log->stored, log_header_size, 0);
}

// Returns true if the frame has the right code after the one in `code`, which becomes its own. Its page
// number and the reserve of its page are returned unless they are null.
static bool follows(
  File *file, sqlite3_int64 frame, uint8_t *code, uint32_t *page, uint8_t *reserve
) {
  uint8_t header[frame_header_size], bytes[reserve_size];
  if (!reserve) reserve = bytes;
  sqlite3_int64 offset = frame_offset(file, frame);
  if (lower_read(file, header, sizeof header, offset) != SQLITE_OK) return false;
  offset += frame_size(file) - reserve_size;
  if (lower_read(file, reserve, reserve_size, offset) != SQLITE_OK) return false;
  compute_code(file, code, header, reserve, code);
  if (page) *page = get32(header);
  return memcmp(code, header + 8, code_size) == 0;
}

// Returns true if the log begins with the frames that the state names.
static bool has_copied_frames(File *file, const atrest_state *state) {
  uint8_t code[code_size];
  compute_first(file, file->log.stored, code);
  for (sqlite3_int64 frame = 0; frame < state->frame_count; frame += 1)
    if (!follows(file, frame, code, NULL, NULL)) return false;
  return memcmp(code, state->code, code_size) == 0;
}

// Returns true if the header in `stored` is that of a log that the state permits, apart from its
// frames. `is_copied` tells whether the state names the log.
static bool is_permitted(File *file, const atrest_state *state, bool *is_copied) {
  const uint8_t *stored = file->log.stored;
  *is_copied = state->frame_count > 0 && memcmp(stored + 16, state->salts, 8) == 0;
  if (get32(stored + 4) != log_version || get32(stored + 8) != (uint32_t)page_size(file))
    return false;
  return *is_copied || (!state->is_checkpointing && get64(stored + 24) == state->sequence);
}

// Checks the frames that a checkpoint is about to copy, and returns their pages and reserves.
int check_frames(File *file, atrest_checkpoint *checkpoint, uint32_t *pages, uint8_t *reserves) {
  Log *log = &file->log;
  atrest_state state;
  bool is_copied;
  int code = lower_read(file, log->stored, log_header_size, 0);
  if (code == SQLITE_OK) code = load_state(file, &state);
  if (code != SQLITE_OK) return code;
  if (!is_permitted(file, &state, &is_copied)) return refuse(file, ATREST_LOG_IS_DAMAGED);
  compute_first(file, log->stored, checkpoint->code);
  for (uint32_t frame = 0; frame < checkpoint->frame_count; frame += 1) {
    if (is_copied && frame == state.frame_count
      && memcmp(checkpoint->code, state.code, code_size) != 0)
      return refuse(file, ATREST_LOG_IS_DAMAGED);
    uint8_t *reserve = reserves + (size_t)frame * reserve_size;
    if (!follows(file, frame, checkpoint->code, pages + frame, reserve))
      return refuse(file, ATREST_LOG_IS_DAMAGED);
  }
  bool is_short = checkpoint->frame_count < state.frame_count;
  bool is_same = checkpoint->frame_count == state.frame_count;
  if (is_copied && (is_short || (is_same && memcmp(checkpoint->code, state.code, code_size) != 0)))
    return refuse(file, ATREST_LOG_IS_DAMAGED);
  memcpy(checkpoint->salts, log->stored + 16, 8);
  return SQLITE_OK;
}

// Gives SQLite the header of a log that is to be recovered: `out` has it as it is on the disk. With
// wrong sums, SQLite ignores the log.
int read_coded_header(File *file, uint8_t *out) {
  Log *log = &file->log;
  atrest_state state;
  memcpy(log->stored, out, log_header_size);
  int code = load_state(file, &state);
  if (code != SQLITE_OK) return code;
  bool is_copied, is_accepted = is_permitted(file, &state, &is_copied);
  if (is_accepted && is_copied) is_accepted = has_copied_frames(file, &state);
  if (!is_accepted && state.is_checkpointing) return refuse(file, ATREST_LOG_IS_MISSING);
  log->copied_count = is_accepted && is_copied ? state.frame_count : 0;
  uint32_t sum[2] = {0, 0};
  add_to_sum(file, out, 24, sum);
  if (!is_accepted) {
    if (sum[0] == get32(out + 24) && sum[1] == get32(out + 28))
      return refuse(file, ATREST_LOG_IS_FOREIGN);
    // Of another state of this database. The copied log may have been begun anew in part.
    uint8_t first[code_size];
    compute_first(file, log->stored, first);
    if (!is_copied && follows(file, 0, first, NULL, NULL))
      return refuse(file, ATREST_LOG_IS_OLDER);
    sum[0] = ~sum[0];
  }
  put32(out + 24, sum[0]);
  put32(out + 28, sum[1]);
  memcpy(log->header, out, log_header_size);
  return SQLITE_OK;
}

// Refuses a log without frames if a checkpoint that a crash interrupted needs them.
int check_log_size(File *file, sqlite3_int64 size) {
  atrest_state state;
  if (size > log_header_size) return SQLITE_OK;
  int code = load_state(file, &state);
  if (code != SQLITE_OK) return code;
  return state.is_checkpointing ? refuse(file, ATREST_LOG_IS_MISSING) : SQLITE_OK;
}
