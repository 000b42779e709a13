import Logging

/// The log of this module. Its messages contain no secrets.
enum KeychainLog {
  static let logger = Logger(label: "atrest.keychain")
}
