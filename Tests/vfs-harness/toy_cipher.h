#ifndef TOY_CIPHER_H
#define TOY_CIPHER_H

#include "CAtRestDatabase.h"

// A cipher that is fast and protects nothing: the sanitizers look at the VFS, not at swift-crypto.
typedef struct {
  int page_size;
  int reserve;
  uint64_t key;
  int authenticates;
} ToyCipher;

// The size of the reserve of the format with authentication, and of the one without.
enum { toy_vector_size = 16, toy_code_size = 16, toy_reserve = 48, toy_plain_reserve = 16 };

atrest_page_cipher toy_methods(ToyCipher *cipher);

// Returns the next number of a generator whose numbers are the same in each run.
uint32_t toy_random(uint64_t *state);

#endif
