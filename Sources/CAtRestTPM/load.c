#define _GNU_SOURCE
#include "CAtRestTPM.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#define BLOCK_SIZE(block) malloc_size(block)
#elif defined(__linux__)
#include <malloc.h>
#define BLOCK_SIZE(block) malloc_usable_size(block)
#else
#define BLOCK_SIZE(block) 0
#endif

void atrest_tss_erase(void *block) {
  if (!block) return;
  volatile unsigned char *bytes = block;
  for (size_t count = BLOCK_SIZE(block); count > 0; count--) *bytes++ = 0;
}

#if defined(_WIN32)

int atrest_tss_hold_pipe(void) { return 0; }
void atrest_tss_release_pipe(int held) {}

int atrest_tss_load(struct atrest_tss *table, char *problem, size_t size) {
  memset(table, 0, sizeof *table);
  snprintf(problem, size, "tpm2-tss is not supported on this system");
  return 0;
}

#else

#include <dlfcn.h>
#include <signal.h>
#include <time.h>

// 1: the signal was not blocked before. 0: nothing needs to be undone.
int atrest_tss_hold_pipe(void) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  // A signal that is pending already belongs to somebody else.
  if (sigpending(&pending) != 0 || sigismember(&pending, SIGPIPE)) return 0;
  if (pthread_sigmask(SIG_BLOCK, &pipe, &before) != 0) return 0;
  return sigismember(&before, SIGPIPE) == 0;
}

void atrest_tss_release_pipe(int held) {
  sigset_t pipe, pending;
  if (!held) return;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE)) {
#if defined(__APPLE__)
    int signal;
    sigwait(&pipe, &signal);
#else
    struct timespec now = {0};
    sigtimedwait(&pipe, NULL, &now);
#endif
  }
  pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
}

extern char **environ;

// Adds TSS2_LOG to the environment unless it is there. `setenv` may free the array of variables while
// another thread reads it; a new array, with the old one left alone, has no such moment.
static void disable_log(void) {
  if (getenv("TSS2_LOG")) return;
  static char variable[] = "TSS2_LOG=all+NONE";
  size_t count = 0;
  while (environ && environ[count]) count++;
  char **larger = malloc((count + 2) * sizeof *larger);
  if (!larger) return;
  if (count > 0) memcpy(larger, environ, count * sizeof *larger);
  larger[count] = variable;
  larger[count + 1] = NULL;
  environ = larger;
}

struct entry {
  int library;
  const char *name;
  size_t offset;
};

#define TCTI 0
#define RC 1
#define MU 2
#define ESYS 3
static const char *const libraries[] = {
    "libtss2-tctildr.so.0", "libtss2-rc.so.0", "libtss2-mu.so.0", "libtss2-esys.so.0"};

#define ENTRY(library, field, name) {library, name, offsetof(struct atrest_tss, field)}
static const struct entry entries[] = {
    ENTRY(TCTI, tcti_open, "Tss2_TctiLdr_Initialize"),
    ENTRY(TCTI, tcti_close, "Tss2_TctiLdr_Finalize"),
    ENTRY(RC, describe, "Tss2_RC_Decode"),
    ENTRY(MU, read_public, "Tss2_MU_TPM2B_PUBLIC_Unmarshal"),
    ENTRY(MU, read_private, "Tss2_MU_TPM2B_PRIVATE_Unmarshal"),
    ENTRY(MU, read_sensitive_create, "Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal"),
    ENTRY(MU, read_data, "Tss2_MU_TPM2B_DATA_Unmarshal"),
    ENTRY(MU, read_digest, "Tss2_MU_TPM2B_DIGEST_Unmarshal"),
    // TPM2B_AUTH is another name of TPM2B_DIGEST, and some versions have no function for it.
    ENTRY(MU, read_auth, "Tss2_MU_TPM2B_DIGEST_Unmarshal"),
    ENTRY(MU, read_nv_public, "Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal"),
    ENTRY(MU, read_pcr_selection, "Tss2_MU_TPML_PCR_SELECTION_Unmarshal"),
    ENTRY(MU, read_symmetric, "Tss2_MU_TPMT_SYM_DEF_Unmarshal"),
    ENTRY(MU, read_signature_scheme, "Tss2_MU_TPMT_SIG_SCHEME_Unmarshal"),
    ENTRY(MU, read_hash_ticket, "Tss2_MU_TPMT_TK_HASHCHECK_Unmarshal"),
    ENTRY(MU, read_point, "Tss2_MU_TPM2B_ECC_POINT_Unmarshal"),
    ENTRY(MU, write_public, "Tss2_MU_TPM2B_PUBLIC_Marshal"),
    ENTRY(MU, write_private, "Tss2_MU_TPM2B_PRIVATE_Marshal"),
    ENTRY(MU, write_sensitive_data, "Tss2_MU_TPM2B_SENSITIVE_DATA_Marshal"),
    ENTRY(MU, write_digest, "Tss2_MU_TPM2B_DIGEST_Marshal"),
    ENTRY(MU, write_name, "Tss2_MU_TPM2B_NAME_Marshal"),
    ENTRY(MU, write_nv_data, "Tss2_MU_TPM2B_MAX_NV_BUFFER_Marshal"),
    ENTRY(MU, write_nv_public, "Tss2_MU_TPM2B_NV_PUBLIC_Marshal"),
    ENTRY(MU, write_signature, "Tss2_MU_TPMT_SIGNATURE_Marshal"),
    ENTRY(MU, write_point, "Tss2_MU_TPM2B_ECC_POINT_Marshal"),
    ENTRY(MU, write_capability, "Tss2_MU_TPMS_CAPABILITY_DATA_Marshal"),
    ENTRY(ESYS, open, "Esys_Initialize"),
    ENTRY(ESYS, close, "Esys_Finalize"),
    ENTRY(ESYS, release, "Esys_Free"),
    ENTRY(ESYS, set_auth, "Esys_TR_SetAuth"),
    ENTRY(ESYS, set_session_attributes, "Esys_TRSess_SetAttributes"),
    ENTRY(ESYS, load_handle, "Esys_TR_FromTPMPublic"),
    ENTRY(ESYS, close_handle, "Esys_TR_Close"),
    ENTRY(ESYS, name, "Esys_TR_GetName"),
    ENTRY(ESYS, serialize, "Esys_TR_Serialize"),
    ENTRY(ESYS, start_session, "Esys_StartAuthSession"),
    ENTRY(ESYS, flush, "Esys_FlushContext"),
    ENTRY(ESYS, read_public_area, "Esys_ReadPublic"),
    ENTRY(ESYS, create_primary, "Esys_CreatePrimary"),
    ENTRY(ESYS, create, "Esys_Create"),
    ENTRY(ESYS, load, "Esys_Load"),
    ENTRY(ESYS, unseal, "Esys_Unseal"),
    ENTRY(ESYS, change_auth, "Esys_ObjectChangeAuth"),
    ENTRY(ESYS, sign, "Esys_Sign"),
    ENTRY(ESYS, agree, "Esys_ECDH_ZGen"),
    ENTRY(ESYS, policy_pcr, "Esys_PolicyPCR"),
    ENTRY(ESYS, policy_nv, "Esys_PolicyNV"),
    ENTRY(ESYS, policy_auth_value, "Esys_PolicyAuthValue"),
    ENTRY(ESYS, policy_digest, "Esys_PolicyGetDigest"),
    ENTRY(ESYS, capability, "Esys_GetCapability"),
    ENTRY(ESYS, random, "Esys_GetRandom"),
    ENTRY(ESYS, nv_define, "Esys_NV_DefineSpace"),
    ENTRY(ESYS, nv_undefine, "Esys_NV_UndefineSpace"),
    ENTRY(ESYS, nv_increment, "Esys_NV_Increment"),
    ENTRY(ESYS, nv_read_public, "Esys_NV_ReadPublic"),
    ENTRY(ESYS, nv_read, "Esys_NV_Read"),
};

int atrest_tss_load(struct atrest_tss *table, char *problem, size_t size) {
  memset(table, 0, sizeof *table);
  disable_log();
  // The libraries stay loaded: another part of the process may hold on to them.
  void *handles[4];
  for (int index = 0; index < 4; index++) {
    handles[index] = dlopen(libraries[index], RTLD_NOW | RTLD_LOCAL);
    if (!handles[index]) {
      snprintf(problem, size, "%s", libraries[index]);
      return 0;
    }
  }
  for (size_t index = 0; index < sizeof entries / sizeof *entries; index++) {
    void *function = dlsym(handles[entries[index].library], entries[index].name);
    if (!function) {
      snprintf(problem, size, "%s in %s", entries[index].name, libraries[entries[index].library]);
      return 0;
    }
    memcpy((char *)table + entries[index].offset, &function, sizeof function);
  }
  return 1;
}

#endif
