#include "internal.h"

#include <pthread.h>

// The ciphers by name. The name is a random number that is known to this process only, so a
// connection has a key only if it was opened with it.

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Key *keys;

int atrest_database_add_key(const char *name, const atrest_page_cipher *cipher) {
  size_t size = strlen(name) + 1;
  Key *key = sqlite3_malloc64(sizeof(Key) + size);
  if (!key) return SQLITE_NOMEM;
  key->owners = 1;
  atomic_init(&key->is_confirmed, false);
  key->cipher = *cipher;
  memcpy(key->name, name, size);
  pthread_mutex_lock(&lock);
  key->next = keys;
  keys = key;
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

Key *key_find(const char *name) {
  if (!name) return NULL;
  pthread_mutex_lock(&lock);
  Key *key = keys;
  while (key && strcmp(key->name, name) != 0) key = key->next;
  if (key) key->owners += 1;
  pthread_mutex_unlock(&lock);
  return key;
}

Key *key_retain(Key *key) {
  pthread_mutex_lock(&lock);
  key->owners += 1;
  pthread_mutex_unlock(&lock);
  return key;
}

void key_release(Key *key) {
  pthread_mutex_lock(&lock);
  bool is_last = --key->owners == 0;
  pthread_mutex_unlock(&lock);
  if (!is_last) return;
  key->cipher.release(key->cipher.context);
  sqlite3_free(key);
}

void atrest_database_remove_key(const char *name) {
  Key *removed = NULL;
  pthread_mutex_lock(&lock);
  for (Key **place = &keys; *place; place = &(*place)->next) {
    if (strcmp((*place)->name, name) != 0) continue;
    removed = *place;
    *place = removed->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  if (removed) key_release(removed);
}

static atrest_key_provider provider;

void atrest_database_set_provider(const atrest_key_provider *new_provider) {
  pthread_mutex_lock(&lock);
  provider = *new_provider;
  pthread_mutex_unlock(&lock);
}

static atrest_key_provider current_provider(void) {
  pthread_mutex_lock(&lock);
  atrest_key_provider result = provider;
  pthread_mutex_unlock(&lock);
  return result;
}

bool has_provider(void) { return current_provider().provide != NULL; }

FoundKey find_key_of_database(const char *file) {
  FoundKey found = {key_find(sqlite3_uri_parameter(file, ATREST_KEY_PARAMETER)), NULL, false};
  char name[64];
  atrest_key_provider provider = current_provider();
  if (found.key || !provider.provide) return found;
  found.is_provided = true;
  if (provider.provide(file, name, sizeof name, &found.owner) == 0) found.key = key_find(name);
  return found;
}

bool end_finding(FoundKey *found) {
  if (!found->owner) return true;
  atrest_key_provider provider = current_provider();
  bool is_replaced = provider.is_replaced(found->owner) != 0;
  provider.release(found->owner);
  found->owner = NULL;
  return !is_replaced;
}
