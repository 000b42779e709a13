import Testing

/// The key of a database, and those of its properties that differ from SQLCipher's defaults.
struct DatabaseLayout: Hashable, Sendable, CustomTestStringConvertible {
  /// A passphrase, or `x'…'` with 64, 96 or 160 hexadecimal digits.
  var key = Self.rawKey
  var isPlaintext = false
  /// The version of SQLCipher that has the format.
  var compatibility: Int?
  /// `be` or `beta`, for version 2 on big-endian machines, and for its beta versions.
  var format: String?
  var pageSize: Int?
  /// The rounds of PBKDF2.
  var iterations: Int?
  /// The salt, in hexadecimal digits, of a database whose first 32 bytes are in plaintext.
  var salt: String?

  static let rawKey = "x'" + String(repeating: "5a17", count: 16) + "'"
  static let standard = DatabaseLayout()

  var testDescription: String {
    var words = ["key \(key.prefix(12)) (\(key.count))"]
    if let compatibility { words.append("version \(compatibility)") }
    if let format { words.append(format) }
    if let pageSize { words.append("pages of \(pageSize)") }
    if let iterations { words.append("\(iterations) rounds") }
    if salt != nil { words.append("plaintext header") }
    return words.joined(separator: ", ")
  }

  /// The properties as the programs' protocol names them.
  var options: [String: Any] {
    var options: [String: Any] = [:]
    options["compatibility"] = compatibility
    options["format"] = format
    options["pageSize"] = pageSize
    options["iterations"] = iterations
    if let salt {
      options["salt"] = salt
      options["plaintextHeader"] = 32
    }
    return options
  }
}
