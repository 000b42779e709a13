#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

// The calls of libpq that the key server uses, with the names and types of libpq-fe.h. The library is loaded at run
// time: a server with an embedded database needs none, and no program here is linked with what libpq needs (OpenSSL,
// Kerberos, LDAP). Neither its headers nor the library are needed to build.

/// Loads libpq. It returns NULL, or the reason why the library cannot be used, which stays valid. The calls below must
/// not be made before it has returned NULL once. Safe to call from several threads.
const char *atrest_load_libpq(void);

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned Oid;
typedef enum { CONNECTION_OK = 0 } ConnStatusType;
typedef enum { PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2 } ExecStatusType;
typedef enum { PQERRORS_TERSE = 0 } PGVerbosity;
typedef void (*PQnoticeReceiver)(void *argument, const PGresult *notice);

// Each line is a result, a name, the parameters and the arguments.
#define ATREST_LIBPQ(CALL) \
  CALL(PGconn *, PQconnectdb, (const char *settings), (settings)) \
  CALL(void, PQfinish, (PGconn *connection), (connection)) \
  CALL(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
  CALL(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
  CALL(PGVerbosity, PQsetErrorVerbosity, (PGconn *connection, PGVerbosity verbosity), (connection, verbosity)) \
  CALL(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *argument), \
       (connection, receiver, argument)) \
  CALL(int, PQsocket, (const PGconn *connection), (connection)) \
  CALL(int, PQconsumeInput, (PGconn *connection), (connection)) \
  CALL(int, PQisBusy, (PGconn *connection), (connection)) \
  CALL(int, PQsendPrepare, \
       (PGconn *connection, const char *name, const char *sql, int count, const Oid *types), \
       (connection, name, sql, count, types)) \
  CALL(int, PQsendQueryParams, \
       (PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values, \
        const int *lengths, const int *formats, int result_format), \
       (connection, sql, count, types, values, lengths, formats, result_format)) \
  CALL(int, PQsendQueryPrepared, \
       (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, \
        const int *formats, int result_format), \
       (connection, name, count, values, lengths, formats, result_format)) \
  CALL(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
  CALL(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
  CALL(int, PQexitPipelineMode, (PGconn *connection), (connection)) \
  CALL(int, PQpipelineSync, (PGconn *connection), (connection)) \
  CALL(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
  CALL(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
  CALL(int, PQntuples, (const PGresult *result), (result)) \
  CALL(int, PQnfields, (const PGresult *result), (result)) \
  CALL(Oid, PQftype, (const PGresult *result, int column), (result, column)) \
  CALL(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  CALL(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  CALL(void, PQclear, (PGresult *result), (result))

struct atrest_libpq {
#define FIELD(result, name, parameters, arguments) result(*name) parameters;
  ATREST_LIBPQ(FIELD)
#undef FIELD
};
extern struct atrest_libpq atrest_libpq;

#define FUNCTION(result, name, parameters, arguments) \
  static inline result name parameters { return atrest_libpq.name arguments; }
ATREST_LIBPQ(FUNCTION)
#undef FUNCTION

#endif
