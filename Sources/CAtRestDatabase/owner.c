#include "internal.h"

// Whether a database belongs to the key. SQLite rolls a journal back, and recovers a log, before it reads
// page 1. With a wrong key, or in a wrong format, this must not change a byte of the database, and must
// not remove the journal or the log.

enum { salt_size = 16 };

// Returns true if the file has a page 1, and with it its salt unless the header is in plaintext.
static bool has_start(File *database, uint8_t *start) {
  static const uint8_t zeros[salt_size];
  return lower_read(database, start, salt_size, 0) == SQLITE_OK
    && memcmp(start, zeros, salt_size) != 0;
}

// Opens page 1 of the database.
static bool opens_first_page(File *database) {
  return lower_read(database, database->sealed, page_size(database), 0) == SQLITE_OK
    && open_page(database, 1, database->sealed, database->plain) == SQLITE_OK;
}

bool is_evidence(File *file, uint32_t page, sqlite3_int64 offset) {
  // Without authentication, any key opens any page but the first one.
  if (!file->key->cipher.authenticates && page != 1) return false;
  return lower_read(file, file->sealed, page_size(file), offset) == SQLITE_OK
    && open_page(file, page, file->sealed, file->plain) == SQLITE_OK;
}

// Returns true if the file begins like one with the header of the cipher: in plaintext, or encrypted after the salt.
// Apart from page 1, both kinds are the same, so a page of a journal or log tells nothing about it.
static bool has_kind_of_header(const atrest_page_cipher *cipher, const uint8_t *start) {
  bool is_plain = memcmp(start, "SQLite format 3", salt_size) == 0;
  if (is_plain || !cipher->has_salt) return is_plain && !cipher->has_salt;
  return memcmp(start, cipher->salt, salt_size) == 0;
}

int check_owner(File *file, bool (*has_evidence)(File *file)) {
  File *database = file->peer;
  const atrest_page_cipher *cipher = &file->key->cipher;
  uint8_t start[salt_size];
  // Of a database that is empty, or whose first page was never written, nothing can be lost.
  if (!database || !has_start(database, start)) return SQLITE_OK;
  if (!has_kind_of_header(cipher, start)) return SQLITE_NOTADB;
  // A crash can have left page 1 incomplete. It is then in the journal or in the log.
  if (is_confirmed(file) || opens_first_page(database) || has_evidence(file)) return SQLITE_OK;
  return SQLITE_NOTADB;
}
