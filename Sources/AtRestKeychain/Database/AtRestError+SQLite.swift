import AtRestCrypto
import AtRestKeybag
import CAtRestSQLite
import Foundation

extension AtRestError {
  /// Converts an error of the database to an ``AtRestError`` with a remedy. The result contains no
  /// SQL and no values.
  static func from(_ error: any Error, path: String) -> AtRestError {
    if let known = error as? AtRestError { return known }
    guard let error = error as? SQLiteError else {
      return AtRestError(
        .system, "The keychain \(path) could not be used.", remedy: "See the cause.",
        cause: error)
    }
    let cause = "SQLite: \(String(cString: sqlite3_errstr(error.code)))"
    switch error.primaryCode {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_SCHEMA, SQLITE_ERROR,
      SQLITE_CONSTRAINT, SQLITE_FORMAT, SQLITE_RANGE, SQLITE_TOOBIG, SQLITE_EMPTY:
      return damaged("The keychain \(path) is damaged (\(cause)).")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return AtRestError(
        .busy,
        "The keychain \(path) was in use by another thread or process for too long (\(cause)).",
        remedy: "Try again.")
    case SQLITE_PERM where isDenied(path), SQLITE_READONLY where isDenied(path),
      SQLITE_CANTOPEN where isDenied(path):
      return AtRestError(
        .notPermitted, "You may not read and write the keychain \(path) (\(cause)).",
        remedy: "Ask its owner for permission, or run as a user who has it.",
        cause: SystemDenial())
    default:
      return AtRestError(
        .system, "The keychain \(path) could not be read or written (\(cause)).",
        remedy: "Check the permissions and the free space of its disk.")
    }
  }

  /// Returns true if this process lacks the permissions for a file or its folder.
  private static func isDenied(_ path: String) -> Bool {
    let folder = (path as NSString).deletingLastPathComponent
    return SystemPath.with(path, { access($0, R_OK | W_OK) }) != 0 && errno == EACCES
      || SystemPath.with(folder, { access($0, R_OK | W_OK | X_OK) }) != 0 && errno == EACCES
  }
}
