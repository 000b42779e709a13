#include "internal.h"

// Sealing and opening one page.

bool has_right_sizes(const File *file, const uint8_t *header) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  if ((header[16] << 8 | header[17] << 16) != cipher->page_size) return false;
  // A header in plaintext is not authenticated, so nothing but the cipher's own size is accepted.
  return cipher->has_salt ? header[20] >= cipher->reserve : header[20] == cipher->reserve;
}

static void confirm(File *file) {
  atomic_store_explicit(&file->key->is_confirmed, true, memory_order_relaxed);
}

bool is_confirmed(const File *file) {
  return atomic_load_explicit(&file->key->is_confirmed, memory_order_relaxed);
}

int check_page(const File *file, uint32_t page, const uint8_t *plain) {
  bool is_right = page != 0 && (page != 1 || has_right_sizes(file, plain));
  return is_right ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int seal_page(File *file, uint32_t page, const uint8_t *plain, uint8_t *sealed) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  int code = check_page(file, page, plain);
  if (code != SQLITE_OK) return code;
  if (cipher->seal(cipher->context, page, plain, sealed) != 0) return SQLITE_IOERR_WRITE;
  // SQLite writes only after it has read page 1, unless the database is new.
  confirm(file);
  return SQLITE_OK;
}

int open_page(File *file, uint32_t page, const uint8_t *sealed, uint8_t *plain) {
  const atrest_page_cipher *cipher = &file->key->cipher;
  if (page != 0 && cipher->open(cipher->context, page, sealed, plain) == 0) {
    if (cipher->authenticates || page == 1) confirm(file);
    return SQLITE_OK;
  }
  memset(plain, 0, (size_t)cipher->page_size);
  // As long as no page was authentic, the key may be the wrong one.
  return is_confirmed(file) ? SQLITE_IOERR_DATA : SQLITE_NOTADB;
}
