import Foundation

/// A table of the database.
enum Table: String, Sendable, CaseIterable {
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

  /// The tables whose changes are in the audit log, so that a row that was put back is detected. The
  /// sequence numbers of devices are an exception: they change with each request.
  static let logged: [Table] = [.accounts, .codes, .devices, .keys]

  var isLogged: Bool { Self.logged.contains(self) }

  /// The number of the table in the audit log.
  var code: UInt8 {
    switch self {
    case .state: 0
    case .accounts: 1
    case .attempts: 2
    case .codes: 3
    case .devices: 4
    case .keys: 5
    case .audit: 6
    }
  }

  init?(code: UInt8) {
    guard let table = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = table
  }

  /// The identifier after those of all accounts. A row has it, so that the search for an account
  /// always finds a row. It is not in the audit log.
  static let lastAccountID = Data(repeating: 0xFF, count: 32)
}
