#include "internal.h"

// The SQL function sqlcipher_export(target[, source]), which copies a database into an attached one. As
// in SQLCipher, the target must be empty, and row identifiers stay.

typedef struct {
  sqlite3 *connection;
  const char *source;
  const char *target;
  // The target as a quoted name, to which parts of statements are appended.
  char *quoted_target;
  // The error, or null.
  char *problem;
} Export;

static int fail(Export *export, int code) {
  if (code != SQLITE_OK && !export->problem)
    export->problem = sqlite3_mprintf("%s", sqlite3_errmsg(export->connection));
  return code;
}

// Runs a statement, which is released.
static int run(Export *export, char *sql) {
  if (!sql) return SQLITE_NOMEM;
  int code = sqlite3_exec(export->connection, sql, NULL, NULL, NULL);
  sqlite3_free(sql);
  return fail(export, code);
}

// Runs the statements that a query returns. A null in their place is an error.
static int run_all(Export *export, char *query) {
  sqlite3_stmt *statement = NULL;
  if (!query) return SQLITE_NOMEM;
  int code = sqlite3_prepare_v2(export->connection, query, -1, &statement, NULL);
  sqlite3_free(query);
  fail(export, code);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *sql = (const char *)sqlite3_column_text(statement, 0);
    if (!sql && sqlite3_column_type(statement, 0) == SQLITE_NULL) {
      if (!export->problem)
        export->problem = sqlite3_mprintf("sqlcipher_export does not know the columns of a table");
      code = SQLITE_ERROR;
    } else {
      code = sql ? run(export, sqlite3_mprintf("%s", sql)) : SQLITE_NOMEM;
    }
  }
  if (code == SQLITE_DONE) code = SQLITE_OK;
  fail(export, code);
  sqlite3_finalize(statement);
  return code;
}

// Returns the statements that make the objects whose SQL begins with `beginning` in the target. SQLite
// keeps each definition with the same beginning, followed by the name.
static char *creation(const Export *export, const char *beginning, const char *condition) {
  return sqlite3_mprintf(
    "SELECT '%q' || '%q.' || substr(sql, %d) FROM \"%w\".sqlite_schema "
    "WHERE sql LIKE '%q%%' AND %s ORDER BY rowid",
    beginning, export->quoted_target, (int)strlen(beginning) + 1, export->source, beginning, condition);
}

// Returns the statements that copy the rows of the tables. A rowid is copied unless a table has none or
// has a column of that name; generated columns are left out. The names of databases are compared as SQLite
// compares them. For a table that was not found in SQLite's list, the statement is null.
static char *copies(const Export *export, const char *quoted_source) {
  return sqlite3_mprintf(
    "WITH columns(name, list) AS (SELECT s.name, "
    "group_concat('\"' || replace(c.name, '\"', '\"\"') || '\"', ', ') "
    "FROM \"%w\".sqlite_schema AS s JOIN pragma_table_xinfo(s.name, '%q') AS c "
    "WHERE s.type = 'table' AND s.rootpage > 0 AND c.hidden = 0 GROUP BY s.name), "
    "kinds(name, hasRowid) AS (SELECT t.name, NOT t.wr AND NOT EXISTS (SELECT 1 "
    "FROM pragma_table_xinfo(t.name, '%q') AS c WHERE lower(c.name) = 'rowid') "
    "FROM pragma_table_list AS t WHERE t.schema = '%q' COLLATE NOCASE) "
    "SELECT 'INSERT INTO %q.' || quoted || '(' || columns || ') SELECT ' || columns "
    "|| ' FROM %q.' || quoted "
    "FROM (SELECT '\"' || replace(name, '\"', '\"\"') || '\"' AS quoted, "
    "CASE hasRowid WHEN 1 THEN 'rowid, ' WHEN 0 THEN '' END || list AS columns "
    "FROM columns LEFT JOIN kinds USING (name) WHERE name NOT LIKE 'sqlite\\_%%' ESCAPE '\\')",
    export->source, export->source, export->source, export->source, export->quoted_target,
    quoted_source);
}

static int copy_rows(Export *export) {
  char *source = sqlite3_mprintf("\"%w\"", export->source);
  int code = source ? run_all(export, copies(export, source)) : SQLITE_NOMEM;
  sqlite3_free(source);
  return code;
}

// Copies one of SQLite's own tables if the source has it. `maker` makes it in the target.
static int copy_own_table(Export *export, const char *name, const char *maker) {
  sqlite3_stmt *statement = NULL;
  char *query = sqlite3_mprintf(
    "SELECT 1 FROM \"%w\".sqlite_schema WHERE name = '%q'", export->source, name);
  if (!query) return SQLITE_NOMEM;
  int code = fail(export, sqlite3_prepare_v2(export->connection, query, -1, &statement, NULL));
  sqlite3_free(query);
  bool exists = code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
  sqlite3_finalize(statement);
  if (!exists) return code;
  if (maker) code = run(export, sqlite3_mprintf(maker, export->target));
  if (code != SQLITE_OK) return code;
  return run(export,
    sqlite3_mprintf("DELETE FROM \"%w\".%s; INSERT INTO \"%w\".%s SELECT * FROM \"%w\".%s",
      export->target, name, export->target, name, export->source, name));
}

// Makes all connections read the schema again.
static int raise_schema_version(Export *export) {
  sqlite3_stmt *statement = NULL;
  int version = 0;
  char *query = sqlite3_mprintf("PRAGMA \"%w\".schema_version", export->target);
  if (!query) return SQLITE_NOMEM;
  int code = fail(export, sqlite3_prepare_v2(export->connection, query, -1, &statement, NULL));
  sqlite3_free(query);
  if (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
    version = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  if (code != SQLITE_OK) return code;
  return run(export,
    sqlite3_mprintf("PRAGMA \"%w\".schema_version = %d", export->target, version + 1));
}

// Copies the definitions of virtual tables, whose own tables are copied like all others. Making them anew
// would make those tables too.
static int copy_virtual_tables(Export *export) {
  int was_writable = 0;
  sqlite3_db_config(export->connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, -1, &was_writable);
  sqlite3_db_config(export->connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
  int code = run(export,
    sqlite3_mprintf(
      "INSERT INTO \"%w\".sqlite_schema SELECT type, name, tbl_name, 0, sql FROM \"%w\".sqlite_schema "
      "WHERE type = 'table' AND rootpage = 0",
      export->target, export->source));
  sqlite3_db_config(export->connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, was_writable, NULL);
  return code == SQLITE_OK ? raise_schema_version(export) : code;
}

static int copy_all(Export *export) {
  const char *tables = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  int code = run_all(export, creation(export, "CREATE TABLE ", tables));
  if (code == SQLITE_OK) code = copy_rows(export);
  if (code == SQLITE_OK) code = copy_own_table(export, "sqlite_sequence", NULL);
  if (code == SQLITE_OK) code = run_all(export, creation(export, "CREATE INDEX ", "1"));
  if (code == SQLITE_OK) code = run_all(export, creation(export, "CREATE UNIQUE INDEX ", "1"));
  if (code == SQLITE_OK)
    code = copy_own_table(export, "sqlite_stat1", "ANALYZE \"%w\".sqlite_schema");
  if (code == SQLITE_OK) code = copy_virtual_tables(export);
  if (code == SQLITE_OK) code = run_all(export, creation(export, "CREATE VIEW ", "1"));
  if (code == SQLITE_OK) code = run_all(export, creation(export, "CREATE TRIGGER ", "1"));
  return code;
}

static void sqlcipher_export(sqlite3_context *context, int count, sqlite3_value **arguments) {
  Export export = {.connection = sqlite3_context_db_handle(context), .source = "main"};
  export.target = (const char *)sqlite3_value_text(arguments[0]);
  if (count > 1) export.source = (const char *)sqlite3_value_text(arguments[1]);
  if (!export.target || !export.source) {
    sqlite3_result_error(context, "sqlcipher_export needs the name of a database", -1);
    return;
  }
  export.quoted_target = sqlite3_mprintf("\"%w\"", export.target);
  if (!export.quoted_target) {
    sqlite3_result_error_nomem(context);
    return;
  }
  int had_keys = 0;
  // The order of tables is not that of references.
  sqlite3_db_config(export.connection, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &had_keys);
  sqlite3_db_config(export.connection, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
  int code = run(&export, sqlite3_mprintf("SAVEPOINT sqlcipher_export"));
  if (code == SQLITE_OK) {
    code = copy_all(&export);
    if (code != SQLITE_OK)
      sqlite3_exec(export.connection, "ROLLBACK TO sqlcipher_export", NULL, NULL, NULL);
    int released = run(&export, sqlite3_mprintf("RELEASE sqlcipher_export"));
    if (code == SQLITE_OK) code = released;
  }
  sqlite3_db_config(export.connection, SQLITE_DBCONFIG_ENABLE_FKEY, had_keys, NULL);
  if (code != SQLITE_OK) {
    sqlite3_result_error(context, export.problem ? export.problem : sqlite3_errstr(code), -1);
    sqlite3_result_error_code(context, code);
  }
  sqlite3_free(export.problem);
  sqlite3_free(export.quoted_target);
}

int register_export(sqlite3 *connection) {
  int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  int code = sqlite3_create_function_v2(
    connection, "sqlcipher_export", 1, flags, NULL, sqlcipher_export, NULL, NULL, NULL);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(
    connection, "sqlcipher_export", 2, flags, NULL, sqlcipher_export, NULL, NULL, NULL);
}
