#include "internal.h"

// The rollback journal. A record consists of a page number, the page, and a checksum: a nonce plus
// every 200th byte of the page. SQLite computes the checksum of the plaintext; the file has that of
// the ciphertext, like SQLCipher's. The three parts are read and written by a call each, in order.
// All other parts, such as headers, are not secret.

static uint32_t sum_of(const uint8_t *page, int size) {
  uint32_t sum = 0;
  for (int index = size - 200; index > 0; index -= 200) sum += page[index];
  return sum;
}

static void expect_sum(File *file, const uint8_t *plain, sqlite3_int64 offset) {
  file->journal.sum_at = offset + page_size(file);
  file->journal.plain_sum = sum_of(plain, page_size(file));
  file->journal.sealed_sum = sum_of(file->sealed, page_size(file));
}

// The name of a super-journal follows the number of the page with the locks, which is never in a
// journal itself.
static bool follows_page_number(const File *file, int count, sqlite3_int64 offset) {
  return count == page_size(file) && file->journal.page_at >= 0
    && offset == file->journal.page_at + 4
    && file->journal.page != (uint32_t)(0x40000000 / count + 1);
}

static int journal_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  Journal *journal = &file->journal;
  journal->nonce_is_known = false;
  journal->opened_page = 0;
  if (follows_page_number(file, count, offset)) {
    int code = seal_page(file, journal->page, bytes, file->sealed);
    if (code != SQLITE_OK) return code;
    expect_sum(file, bytes, offset);
    journal->is_own = true;
    return lower_write(file, file->sealed, count, offset);
  }
  // A header begins or ends a transaction, unless only its first 12 bytes are written.
  if (offset == 0 && count != 12) journal->is_own = journal->is_checked = false;
  if (count != 4) return lower_write(file, bytes, count, offset);
  uint8_t word[4];
  memcpy(word, bytes, 4);
  if (offset == journal->sum_at) {
    put32(word, get32(word) - journal->plain_sum + journal->sealed_sum);
  } else {
    journal->page = get32(word);
    journal->page_at = offset;
  }
  journal->sum_at = -1;
  return lower_write(file, word, 4, offset);
}

// The parts of a journal's header, which begins at a multiple of the size of a sector.
enum { header_part = 28, count_at = 8, sector_at = 20, record_overhead = 8 };

static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

// Returns true if a page in the journal shows that the key is the right one.
static bool has_evidence(File *file) {
  uint8_t header[header_part], word[4];
  sqlite3_int64 offset = 0, size = 0, record = page_size(file) + record_overhead;
  if (file_size(&file->base, &size) != SQLITE_OK) return false;
  while (lower_read(file, header, sizeof header, offset) == SQLITE_OK
    && memcmp(header, magic, sizeof magic) == 0) {
    uint32_t sector = get32(header + sector_at), count = get32(header + count_at);
    if (sector < 32 || sector > 65536) return false;
    offset += sector;
    // Without syncs, or before the first one, the size of the file says how many there are.
    sqlite3_int64 end = count == 0 || count == 0xffffffff ? size : offset + count * record;
    for (; offset + record <= end && offset + record <= size; offset += record)
      if (lower_read(file, word, sizeof word, offset) == SQLITE_OK
        && is_evidence(file, get32(word), offset + 4))
        return true;
    offset += sector - 1;
    offset -= offset % sector;
  }
  return false;
}

// Checks before the first reading of a journal that another connection wrote that it may be rolled back.
static int check_journal(File *file, int count) {
  Journal *journal = &file->journal;
  // SQLite reads one byte to see whether there is anything to roll back.
  if (count == 1 || journal->is_own || journal->is_checked) return SQLITE_OK;
  int code = check_owner(file, has_evidence);
  journal->is_checked = code == SQLITE_OK;
  return code;
}

static int read_page(File *file, uint8_t *out, int count, sqlite3_int64 offset) {
  Journal *journal = &file->journal;
  journal->opened_page = 0;
  int code = lower_read(file, file->sealed, count, offset);
  if (code != SQLITE_OK) {
    memset(out, 0, (size_t)count);
    return code;
  }
  code = open_page(file, journal->page, file->sealed, out);
  journal->is_authentic = code == SQLITE_OK;
  // In a journal that a crash left behind, the last record may be incomplete. Its checksum shows
  // that. A page that this connection wrote must be authentic.
  if (code != SQLITE_OK && (journal->is_own || !journal->nonce_is_known)) return SQLITE_IOERR_DATA;
  expect_sum(file, out, offset);
  if (code == SQLITE_OK) {
    memcpy(file->plain, out, (size_t)count);
    journal->opened_page = journal->page;
    return code;
  }
  // SQLite does not read the checksum of a page that is not part of the database.
  uint8_t word[4];
  code = lower_read(file, word, 4, offset + count);
  bool is_complete =
    code == SQLITE_OK && get32(word) == journal->nonce + journal->sealed_sum;
  return is_complete ? SQLITE_IOERR_DATA : SQLITE_OK;
}

// Replaces a checksum by the one that SQLite expects, or by another one if the record is incomplete.
static void convert_sum(const Journal *journal, uint8_t *word) {
  uint32_t sum = get32(word), expected = journal->nonce + journal->plain_sum;
  // SQLite3MultipleCiphers leaves the checksum of the plaintext in the file.
  bool is_right = sum == journal->nonce + journal->sealed_sum || sum == expected;
  put32(word, journal->is_authentic && is_right ? expected : ~expected);
}

static int journal_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  File *file = (File *)base;
  Journal *journal = &file->journal;
  int code = check_journal(file, count);
  if (code != SQLITE_OK) {
    memset(out, 0, (size_t)count);
    return code;
  }
  if (follows_page_number(file, count, offset)) return read_page(file, out, count, offset);
  code = lower_read(file, out, count, offset);
  if (code != SQLITE_OK) return code;
  if (count != 4) return SQLITE_OK;
  // A header begins at a multiple of 512. Its nonce is the word at 12, and is read after the word at
  // 8. In records, which are a multiple of 8 bytes long, a page precedes a word at such an offset.
  if (offset % 512 == 12 && journal->page_at == offset - 4) {
    journal->nonce = get32(out);
    journal->nonce_is_known = true;
  }
  // The size of a page, read after the size of a sector. 0 stands for the present one.
  if (offset % 512 == 24 && journal->page_at == offset - 4) {
    uint32_t size = get32(out);
    if (size != 0 && size != (uint32_t)page_size(file)) return SQLITE_IOERR_DATA;
  }
  bool is_sum = offset == journal->sum_at;
  journal->sum_at = -1;
  if (is_sum) {
    // Without the nonce, only the difference is known.
    if (journal->nonce_is_known) convert_sum(journal, out);
    else put32(out, get32(out) - journal->sealed_sum + journal->plain_sum);
    return SQLITE_OK;
  }
  journal->page = get32(out);
  journal->page_at = offset;
  return SQLITE_OK;
}

const sqlite3_io_methods journal_methods = {
  .iVersion = 1,
  .xClose = file_close,
  .xRead = journal_read,
  .xWrite = journal_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
};
