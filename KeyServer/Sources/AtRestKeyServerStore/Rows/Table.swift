import Foundation

/// A table of the database.
enum Table: String, Sendable {
  /// The realm with the root key, the end of the audit log, and the counters of servers.
  case state
  case accounts
  /// Attempts that are not proved. They have a table of their own, because accounts that do not
  /// exist have them too.
  case attempts
  /// Enrolment codes that are not used.
  case codes
  case devices
  /// Versions of device shares and key-encryption keys.
  case keys
  /// The audit log. The identifier is the number of the entry.
  case audit

  var name: String { "keyserver_\(rawValue)" }
}
