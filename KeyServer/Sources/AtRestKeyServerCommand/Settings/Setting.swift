/// A setting of the server. It has the same name as a flag, as an environment variable and in the
/// file: `--server-key`, `ATREST_KEYSERVER_SERVER_KEY` and `server-key`.
enum Setting: String, CaseIterable, Sendable {
  case host
  case port
  case certificate
  case privateKey = "private-key"
  case clientCA = "client-ca"
  case database
  case databaseTimeout = "database-timeout"
  case embedded
  case serverKey = "server-key"
  case nextServerKey = "next-server-key"
  case record
  case workers
  case maxConnections = "max-connections"
  case maxConnectionsPerSource = "max-connections-per-source"
  case requestTimeout = "request-timeout"
  case sourceRate = "source-rate"
  case sourceBurst = "source-burst"
  case namesPerSource = "names-per-source"
  case logFormat = "log-format"
  case logLevel = "log-level"

  static let prefix = "ATREST_KEYSERVER_"
  /// The variable that names the settings file. The file itself cannot name one.
  static let fileVariable = prefix + "CONFIG"

  /// The environment variable of the setting.
  var variable: String {
    Self.prefix + rawValue.uppercased().replacing("-", with: "_")
  }

  /// True for a setting that names a file which can be a credential of systemd.
  var canBeCredential: Bool {
    switch self {
    case .serverKey, .nextServerKey, .certificate, .privateKey, .clientCA: true
    default: false
    }
  }
}
