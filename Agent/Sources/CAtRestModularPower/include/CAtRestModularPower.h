#ifndef CATREST_MODULAR_POWER_H
#define CATREST_MODULAR_POWER_H

#include <stddef.h>
#include <stdint.h>

// Computes base ^ exponent modulo an odd modulus, in a time and with accesses to memory that depend on no value
// (GMP's mpz_powm_sec). All numbers are big-endian and have `size` bytes; the base has to be below the modulus.
//
// GMP is the system's library, and is loaded with the first call. Returns 0, -1 if the exponent is zero or the
// modulus is even, or -2 if there is no GMP.
int atrest_modular_power(uint8_t *result, const uint8_t *base, const uint8_t *exponent,
                         const uint8_t *modulus, size_t size);

#endif
