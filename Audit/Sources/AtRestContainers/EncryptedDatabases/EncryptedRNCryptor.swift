import AtRestFormats
import Crypto
import CryptoExtras

/// A file that RNCryptor encrypted, in version 2 or 3 of its format, on which keys or passphrases are tried.
///
/// The contents are encrypted with AES-256 in CBC mode. Their key and that of the HMAC are made of a passphrase, or are given.
///
/// A passphrase is right if the HMAC is. A key alone has none, unless it is the key of the HMAC too, so it counts as right if
/// the contents are a text or a file of a known format (``PlaintextEvidence``).
///
/// Source: *RNCryptor data format*, versions 2 and 3.
struct EncryptedRNCryptor: LockedFile {
  private static let keySize = 32
  private static let rounds = 10_000
  /// The maximum size in bytes of a file with a passphrase and of one with keys. One of 256 reads it to its end, and there
  /// are more keys.
  private static let sizeLimits = (passphrase: 64 << 20, authenticKey: 1 << 20)
  private static let chunkSize = 1 << 18

  private let source: ByteSource
  private let file: RNCryptorFile
  private let mac: [UInt8]
  private let contents: PaddedCBC

  /// Prepares a file, or returns nil if RNCryptor did not make it.
  ///
  /// - Throws: ``FormatError`` if it cannot be read, or is too large.
  init?(_ source: ByteSource) throws(FormatError) {
    guard let file = try RNCryptorFile(source) else { return nil }
    guard file.salts == nil || source.count <= Self.sizeLimits.passphrase else {
      throw FormatError("The file is larger than \(Self.sizeLimits.passphrase) bytes.")
    }
    self.source = source
    self.file = file
    mac = try source.read(file.contents.upperBound..<source.count)
    contents = try PaddedCBC(source, file.contents)
  }

  var keys: LockedFileKeys { takesPassphrases ? .none : .ofKeySize }
  var takesPassphrases: Bool { file.salts != nil }

  func open(withKey bytes: [UInt8]) throws -> UnlockedFile? {
    let key = SymmetricKey(data: bytes)
    guard let padding = try contents.padding(key, file.iv) else { return nil }
    if let plaintext = try contents.proved(key, file.iv) { return unlocked(plaintext) }
    guard source.count <= Self.sizeLimits.authenticKey, try isAuthentic(key) else { return nil }
    return unlocked(contents.plaintext(key, file.iv, padding: padding))
  }

  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile? {
    guard let salts = file.salts else { return nil }
    let passphrase = file.version == 2 ? Self.truncated(bytes) : bytes
    // One of 256 wrong passphrases has a padding, and only those take twice the time.
    let key = try Self.key(passphrase, salts.key)
    guard let padding = try contents.padding(key, file.iv),
      try isAuthentic(Self.key(passphrase, salts.mac))
    else { return nil }
    return unlocked(contents.plaintext(key, file.iv, padding: padding))
  }

  private func unlocked(_ plaintext: ByteSource) -> UnlockedFile {
    UnlockedFile(
      format: "RNCryptor \(file.version)", isPassphrase: takesPassphrases,
      contents: .file(plaintext))
  }

  private func isAuthentic(_ key: SymmetricKey) throws -> Bool {
    var hmac = HMAC<SHA256>(key: key)
    let end = file.contents.upperBound
    for start in stride(from: 0, to: end, by: Self.chunkSize) {
      hmac.update(data: try source.read(start..<min(end, start + Self.chunkSize)))
    }
    return Array(hmac.finalize()) == mac
  }

  private static func key(_ passphrase: [UInt8], _ salt: [UInt8]) throws -> SymmetricKey {
    try KDF.Insecure.PBKDF2.deriveKey(
      from: passphrase, salt: salt, using: .insecureSHA1, outputByteCount: keySize,
      unsafeUncheckedRounds: rounds)
  }

  /// Version 2 takes as many bytes as the text has characters.
  private static func truncated(_ passphrase: [UInt8]) -> [UInt8] {
    Array(passphrase.prefix(String(decoding: passphrase, as: UTF8.self).utf16.count))
  }
}
