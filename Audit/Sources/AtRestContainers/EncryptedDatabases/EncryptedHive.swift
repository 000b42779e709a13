import AtRestFormats
import Crypto
import CryptoExtras

/// An encrypted box of Hive, on which keys are tried.
///
/// Each value is encrypted with AES-256-CBC and PKCS #7, and its IV precedes it. The checksums of the frames begin with
/// that of the hash of the key, so most keys are rejected without a decryption.
struct EncryptedHive: LockedFile {
  private static let sample = 8

  private let box: HiveBox
  private let values: [[UInt8]]

  init(_ box: HiveBox) throws(FormatError) {
    self.box = box
    values = try box.values(first: Self.sample)
  }

  var keys: LockedFileKeys { .ofKeySize }
  var takesPassphrases: Bool { false }

  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile? { nil }

  func open(withKey bytes: [UInt8]) throws -> UnlockedFile? {
    let hash = Array(SHA256.hash(data: bytes))
    guard HiveBox.seed(ofKeyHash: hash) == box.seed else { return nil }
    let key = SymmetricKey(data: bytes)
    guard !values.isEmpty, values.allSatisfy({ Self.decrypt($0, key) != nil }) else { return nil }
    return UnlockedFile(
      format: "Hive", isPassphrase: false,
      contents: .box(box, decrypt: { Self.decrypt($0, key) }))
  }

  /// Decrypts a value, or returns nil if its padding is wrong.
  private static func decrypt(_ value: [UInt8], _ key: SymmetricKey) -> [UInt8]? {
    guard value.count >= HiveBox.smallestEncrypted, value.count % HiveBox.blockSize == 0,
      let iv = try? AES._CBC.IV(ivBytes: value.prefix(HiveBox.blockSize)),
      let plaintext = try? AES._CBC.decrypt(value.dropFirst(HiveBox.blockSize), using: key, iv: iv)
    else { return nil }
    return Array(plaintext)
  }
}
