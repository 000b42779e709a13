#ifndef CATREST_TPM_H
#define CATREST_TPM_H

#include <stddef.h>
#include <stdint.h>

// The calls of the TPM Software Stack (tpm2-tss) that AtRest uses, loaded at run time. Neither its
// headers nor its libraries are needed to build.
//
// Every structure of the TPM is a `void *` here. The functions `read_…` and `write_…` convert between
// a structure and its wire form (TPM 2.0 Library, part 2), so nothing depends on layouts. All
// functions return 0 or a TSS2_RC, except those that return nothing.

/// A TSS2_RC: a layer in bits 16 to 23, and a code below. Layer 0 is the TPM.
typedef uint32_t atrest_tss_rc;
/// An ESYS_TR: the library's handle of an object, an NV index, a session or a hierarchy.
typedef uint32_t atrest_tss_handle;

/// Tss2_MU_…_Unmarshal: makes a structure from its wire form, at `*offset`, which is moved on.
typedef atrest_tss_rc (*atrest_tss_read)(
    const uint8_t *wire, size_t count, size_t *offset, void *structure);
/// Tss2_MU_…_Marshal: appends the wire form of a structure at `*offset`, which is moved on.
typedef atrest_tss_rc (*atrest_tss_write)(
    const void *structure, uint8_t *wire, size_t count, size_t *offset);

/// The loaded functions. `s1` to `s3` are the sessions of a command.
struct atrest_tss {
  // libtss2-tctildr.so.0
  atrest_tss_rc (*tcti_open)(const char *transport, void **tcti);
  void (*tcti_close)(void **tcti);

  // libtss2-rc.so.0
  const char *(*describe)(atrest_tss_rc code);

  // libtss2-mu.so.0
  atrest_tss_read read_public, read_private, read_sensitive_create, read_data, read_digest, read_auth,
      read_nv_public, read_pcr_selection, read_symmetric, read_signature_scheme, read_hash_ticket, read_point;
  atrest_tss_write write_public, write_private, write_sensitive_data, write_digest,
      write_name, write_nv_data, write_nv_public, write_signature, write_point, write_capability;

  // libtss2-esys.so.0
  atrest_tss_rc (*open)(void **context, void *tcti, void *abi_version);
  void (*close)(void **context);
  void (*release)(void *pointer);
  atrest_tss_rc (*set_auth)(void *context, atrest_tss_handle handle, const void *auth);
  atrest_tss_rc (*set_session_attributes)(
      void *context, atrest_tss_handle session, uint8_t flags, uint8_t mask);
  atrest_tss_rc (*load_handle)(
      void *context, uint32_t tpm_handle, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      atrest_tss_handle *handle);
  atrest_tss_rc (*close_handle)(void *context, atrest_tss_handle *handle);
  atrest_tss_rc (*name)(void *context, atrest_tss_handle handle, void **name);
  atrest_tss_rc (*serialize)(
      void *context, atrest_tss_handle handle, uint8_t **bytes, size_t *count);
  atrest_tss_rc (*start_session)(
      void *context, atrest_tss_handle salt_key, atrest_tss_handle bind, atrest_tss_handle s1,
      atrest_tss_handle s2, atrest_tss_handle s3, const void *nonce, uint8_t type, const void *symmetric,
      uint16_t hash, atrest_tss_handle *session);
  atrest_tss_rc (*flush)(void *context, atrest_tss_handle handle);
  atrest_tss_rc (*read_public_area)(
      void *context, atrest_tss_handle object, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      void **public_area, void **name, void **qualified_name);
  atrest_tss_rc (*create_primary)(
      void *context, atrest_tss_handle hierarchy, atrest_tss_handle s1, atrest_tss_handle s2,
      atrest_tss_handle s3, const void *sensitive, const void *template_, const void *outside,
      const void *pcrs, atrest_tss_handle *object, void **public_area, void **creation_data,
      void **creation_hash, void **creation_ticket);
  atrest_tss_rc (*create)(
      void *context, atrest_tss_handle parent, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      const void *sensitive, const void *template_, const void *outside, const void *pcrs,
      void **private_area, void **public_area, void **creation_data, void **creation_hash,
      void **creation_ticket);
  atrest_tss_rc (*load)(
      void *context, atrest_tss_handle parent, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      const void *private_area, const void *public_area, atrest_tss_handle *object);
  atrest_tss_rc (*unseal)(
      void *context, atrest_tss_handle object, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      void **sensitive_data);
  atrest_tss_rc (*change_auth)(
      void *context, atrest_tss_handle object, atrest_tss_handle parent, atrest_tss_handle s1,
      atrest_tss_handle s2, atrest_tss_handle s3, const void *auth, void **private_area);
  atrest_tss_rc (*sign)(
      void *context, atrest_tss_handle key, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      const void *digest, const void *scheme, const void *ticket, void **signature);
  atrest_tss_rc (*agree)(
      void *context, atrest_tss_handle key, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      const void *point, void **result);
  atrest_tss_rc (*policy_pcr)(
      void *context, atrest_tss_handle session, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      const void *digest, const void *pcrs);
  atrest_tss_rc (*policy_nv)(
      void *context, atrest_tss_handle auth, atrest_tss_handle index, atrest_tss_handle session,
      atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3, const void *operand,
      uint16_t offset, uint16_t operation);
  atrest_tss_rc (*policy_auth_value)(
      void *context, atrest_tss_handle session, atrest_tss_handle s1, atrest_tss_handle s2,
      atrest_tss_handle s3);
  atrest_tss_rc (*policy_digest)(
      void *context, atrest_tss_handle session, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3,
      void **digest);
  atrest_tss_rc (*capability)(
      void *context, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3, uint32_t capability,
      uint32_t property, uint32_t count, uint8_t *more, void **data);
  atrest_tss_rc (*random)(
      void *context, atrest_tss_handle s1, atrest_tss_handle s2, atrest_tss_handle s3, uint16_t count,
      void **bytes);
  atrest_tss_rc (*nv_define)(
      void *context, atrest_tss_handle hierarchy, atrest_tss_handle s1, atrest_tss_handle s2,
      atrest_tss_handle s3, const void *auth, const void *public_area, atrest_tss_handle *index);
  atrest_tss_rc (*nv_undefine)(
      void *context, atrest_tss_handle hierarchy, atrest_tss_handle index, atrest_tss_handle s1,
      atrest_tss_handle s2, atrest_tss_handle s3);
  atrest_tss_rc (*nv_increment)(
      void *context, atrest_tss_handle auth, atrest_tss_handle index, atrest_tss_handle s1, atrest_tss_handle s2,
      atrest_tss_handle s3);
  atrest_tss_rc (*nv_read_public)(
      void *context, atrest_tss_handle index, atrest_tss_handle s1, atrest_tss_handle s2,
      atrest_tss_handle s3, void **public_area, void **name);
  atrest_tss_rc (*nv_read)(
      void *context, atrest_tss_handle auth, atrest_tss_handle index, atrest_tss_handle s1, atrest_tss_handle s2,
      atrest_tss_handle s3, uint16_t count, uint16_t offset, void **data);
};

/// Loads the libraries and fills the table. Returns 1, or 0 with the name of the library or the function
/// that is missing in `problem`.
///
/// By default the libraries log every error of the TPM to standard error. This function turns the log
/// off (TSS2_LOG), unless the environment asks for it.
int atrest_tss_load(struct atrest_tss *table, char *problem, size_t size);

/// The code for a TPM that did not answer in time, in the layer of transports. tpm2-tss has none.
#define ATREST_TCTI_SILENT 0xA00F0
#define ATREST_TCTI_FAILURE 0xA0001

/// Opens a transport on which no call waits longer than a number of milliseconds for the TPM. After such
/// a wait, every call fails at once.
///
/// The caller closes `*tcti`, also after an error.
atrest_tss_rc atrest_tcti_open(
    const struct atrest_tss *table, const char *transport, int milliseconds, void **tcti);
void atrest_tcti_close(const struct atrest_tss *table, void **tcti);
/// 1 if the TPM did not answer in time.
int atrest_tcti_is_silent(const void *tcti);

/// Erases a block of memory that a library allocated. Does nothing for null, or if the system does
/// not know the size of a block.
void atrest_tss_erase(void *block);

/// Blocks SIGPIPE in this thread. Returns what the second function needs to undo that, which also takes back
/// a signal that came meanwhile.
int atrest_tss_hold_pipe(void);
void atrest_tss_release_pipe(int held);

#endif
