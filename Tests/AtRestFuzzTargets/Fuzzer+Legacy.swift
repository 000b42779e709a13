import AtRestCrypto
import AtRestLegacy
import Foundation

extension Fuzzer {
  private static var encryptionKey: SecretBytes { SecretBytes(Data(repeating: 7, count: 32)) }
  private static var hmacKey: SecretBytes { SecretBytes(Data(repeating: 8, count: 32)) }

  func readLegacy(_ input: consuming FuzzInput) throws {
    let form = input.integer(UInt8.self)
    let bytes =
      form & 3 == 1
      ? input.rest + Self.hmacKey.authenticationCode(for: input.rest) : input.rest
    guard form & 2 == 0 else {
      _ = PasswordEncryptedParts.isPropertyList(bytes)
      try isAccepted {
        let parts = try PasswordEncryptedParts(propertyList: bytes)
        let again = try PasswordEncryptedParts(propertyList: parts.propertyList())
        try expect(again == parts, "Parts do not read back.")
      }
      return
    }
    _ = RNCryptorV3.isRNCryptor(bytes)
    try isAccepted {
      _ = try RNCryptorV3.decrypt(
        bytes, encryptionKey: Self.encryptionKey, hmacKey: Self.hmacKey)
    }
  }

  func legacySeeds() throws -> [Data] {
    let message = try RNCryptorV3.encrypt(
      Data("contents".utf8), encryptionKey: Self.encryptionKey, hmacKey: Self.hmacKey)
    let parts = try PasswordEncryptedParts(
      encryptedData: Data(repeating: 1, count: 32),
      initializationVector: Data(repeating: 2, count: 16), salt: Data(repeating: 3, count: 8))
    return [
      Data([0]) + message, Data([1]) + message.dropLast(32),
      Data([2]) + (try parts.propertyList(format: .binary)),
      Data([2]) + (try parts.propertyList(format: .xml)),
    ]
  }
}
