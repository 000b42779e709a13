import AtRestFormats

/// An encrypted file on which the values of a container are tried.
protocol LockedFile: Sendable {
  /// The values that may be its key. All of them are tried, because each takes some microseconds.
  var keys: LockedFileKeys { get }
  /// True if a key can be made of a passphrase in a way that takes a fraction of a second.
  var takesPassphrases: Bool { get }

  /// Opens the file with a key, or returns nil if it is another file's.
  func open(withKey bytes: [UInt8]) throws -> UnlockedFile?
  /// Opens the file with a passphrase, or returns nil if it is another file's.
  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile?
}

/// The values that may be keys of an encrypted file.
enum LockedFileKeys: Sendable {
  case none
  /// Values of 32 bytes.
  case ofKeySize
  /// All values.
  case any
}

/// An encrypted file, and what opens it.
struct UnlockedFile: Sendable {
  enum Contents: Sendable {
    case database(SQLCipherPages)
    case store(ByteSource, MMKVState)
    /// A box, and what decrypts a value or returns nil if it is damaged.
    case box(HiveBox, decrypt: @Sendable ([UInt8]) -> [UInt8]?)
    /// A file that was encrypted as a whole.
    case file(ByteSource)
    case archive(any FileTree)
  }

  /// The name of the format: `SQLCipher 4`.
  let format: String
  let isPassphrase: Bool
  let contents: Contents
}
