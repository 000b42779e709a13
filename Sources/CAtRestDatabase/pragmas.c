#include "internal.h"

// The pragmas that have another effect on an encrypted database, and those of SQLCipher. SQLite ignores
// a pragma that it does not know, so a program would believe that it had an effect.

enum { answer_size = 1024 };

// Checks every page of the file and names those that are not authentic, or returns no row.
static int check_integrity(File *file, char **answer) {
  sqlite3_int64 size = 0, page_count;
  char *problems = NULL;
  int code = file_size(&file->base, &size);
  page_count = size / page_size(file);
  for (sqlite3_int64 page = 1; code == SQLITE_OK && page <= page_count; page += 1) {
    if (page == 0x40000000 / page_size(file) + 1) continue;
    code = lower_read(file, file->sealed, page_size(file), (page - 1) * page_size(file));
    if (code == SQLITE_OK && open_page(file, (uint32_t)page, file->sealed, file->plain) != SQLITE_OK)
      problems = sqlite3_mprintf(
        "%z%sHMAC verification failed for page %lld", problems, problems ? "\n" : "", page);
  }
  if (size % page_size(file) != 0)
    problems = sqlite3_mprintf("%z%spage %lld has an invalid size", problems, problems ? "\n" : "",
      page_count + 1);
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
