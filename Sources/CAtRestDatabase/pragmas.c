#include "internal.h"

// The pragmas that have another effect on an encrypted database, and those of SQLCipher. SQLite ignores
// a pragma that it does not know, so a program would believe that it had an effect.

enum { answer_size = 1024 };

// Returns SQLITE_OK if a page of the file is authentic, or if the file ends before it by now: another connection
// may be writing the page, or have made the database smaller. SQLITE_IOERR_DATA if it is not authentic.
static int check_page_in_file(File *file, sqlite3_int64 page, bool *is_missing) {
  sqlite3_int64 size = 0, end = page * page_size(file);
  int code = SQLITE_OK;
  for (int attempt = 0; attempt < 3; attempt += 1) {
    if (attempt > 0) sqlite3_sleep(1);
    code = file_size(&file->base, &size);
    *is_missing = code == SQLITE_OK && size < end;
    if (code != SQLITE_OK || *is_missing) return code;
    code = lower_read(file, file->sealed, page_size(file), end - page_size(file));
    if (code == SQLITE_IOERR_SHORT_READ) continue;
    if (code != SQLITE_OK) return code;
    if (open_page(file, (uint32_t)page, file->sealed, file->plain) == SQLITE_OK) return SQLITE_OK;
    code = SQLITE_IOERR_DATA;
  }
  return code;
}

// Checks every page of the file and names those that are not authentic, or returns no row.
static int check_integrity(File *file, char **answer) {
  sqlite3_int64 size = 0, page_count;
  char *problems = NULL;
  bool is_missing = false;
  int code = file_size(&file->base, &size);
  page_count = size / page_size(file);
  for (sqlite3_int64 page = 1; code == SQLITE_OK && page <= page_count && !is_missing; page += 1) {
    if (page == 0x40000000 / page_size(file) + 1) continue;
    code = check_page_in_file(file, page, &is_missing);
    if (code != SQLITE_IOERR_DATA && code != SQLITE_IOERR_SHORT_READ) continue;
    code = SQLITE_OK;
    problems = sqlite3_mprintf(
      "%z%sHMAC verification failed for page %lld", problems, problems ? "\n" : "", page);
  }
  // If another connection writes a page at the end, it is whole soon.
  if (code == SQLITE_OK && size % page_size(file) != 0) code = file_size(&file->base, &size);
  if (code == SQLITE_OK && size % page_size(file) != 0)
    problems = sqlite3_mprintf("%z%spage %lld has an invalid size", problems, problems ? "\n" : "",
      size / page_size(file) + 1);
  *answer = problems;
  return code;
}

// `argument` has the places of the answer, of the name and of the value, which is null if the pragma
// only asks. The answer is also the name of its column. A pragma without an answer is left to SQLite, which
// does not know it: the statement then has no column and no row.
bool answer_pragma(File *file, char **argument, int *code) {
  const char *name = argument[1], *value = argument[2];
  const atrest_page_cipher *cipher = &file->key->cipher;
  *code = SQLITE_OK;
  if (sqlite3_stricmp(name, "page_size") == 0 && value && !file->is_copy) {
    // Only a copy can have pages of another size. SQLCipher ignores the pragma too.
    argument[0] = sqlite3_mprintf("%d", page_size(file));
    return true;
  }
  if (sqlite3_stricmp(name, "cipher_integrity_check") == 0) {
    *code = check_integrity(file, argument);
    return *code != SQLITE_OK || argument[0];
  }
  char answer[answer_size] = "";
  switch (cipher->pragma(cipher->context, name, value, answer, answer_size)) {
  case ATREST_PRAGMA_ROW:
    argument[0] = sqlite3_mprintf("%s", answer);
    return true;
  case ATREST_PRAGMA_REFUSED:
    argument[0] = sqlite3_mprintf("%s", answer);
    *code = SQLITE_ERROR;
    return true;
  default:
    return false;
  }
}
