import AtRestFormats

/// An encrypted file on which the values of a container are tried.
protocol LockedFile: Sendable {
  /// True if any value may be the key, and false if only one of 32 bytes can be. All of them are tried, because each
  /// takes some microseconds.
  var takesAnyValue: Bool { get }
  /// True if a key can be made of a passphrase, which takes a fraction of a second.
  var takesPassphrases: Bool { get }

  /// Opens the file with a key, or returns nil if it is another file's.
  func open(withKey bytes: [UInt8]) throws -> UnlockedFile?
  /// Opens the file with a passphrase, or returns nil if it is another file's.
  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile?
}

/// An encrypted file, and what opens it.
struct UnlockedFile: Sendable {
  enum Contents: Sendable {
    case database(SQLCipherPages)
    case store(ByteSource, MMKVState)
    /// A box, and what decrypts a value or returns nil if it is damaged.
    case box(HiveBox, decrypt: @Sendable ([UInt8]) -> [UInt8]?)
  }

  /// The name of the format: `SQLCipher 4`.
  let format: String
  let isPassphrase: Bool
  let contents: Contents
}
