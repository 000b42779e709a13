#if os(Linux)
  import AtRestCrypto
  import Foundation
  import Testing

  /// Keys that the legacy formats derive are gone once the call returned.
  @Suite(.serialized) struct LegacyErasureTests {
    // What OpenSSL and Python derived from the password and the salts of the fixtures.
    private static let partsKey = "8bcce265a398430c077363f3d86e3133d8a0d4f2e9722efd6a99750d35ee4db0"
    private static let encryptionKey =
      "23598e4c4bf700869127dc1eb3d7c961245f7fd2f7412c4a4551ee67722abb8e"
    private static let hmacKey = "317003222c68b2679c2d2fdd04ef3ecda927f2c5ca4d5a31659d84ba9908b46c"

    // Written straight into locked memory: an array on the way would be found.
    private func look(for hex: String, _ scanner: MemoryScanner) {
      let key = SecretBytes(count: 32) { key in
        var digits = hex.utf8.makeIterator()
        func digit() -> UInt8 { digits.next()! }
        func value(_ digit: UInt8) -> UInt8 { digit < 0x3A ? digit - 0x30 : digit - 0x57 }
        for index in key.indices { key[index] = value(digit()) << 4 | value(digit()) }
      }
      key.withUnsafeBytes { scanner.look(for: $0) }
    }

    // Calls in between would clear what they left; so one search follows one call.
    @Test func keyOfPartsIsGone() throws {
      let parts = try PasswordEncryptedParts(
        propertyList: Fixture.data("legacy/parts-binary.plist"))
      let password = SecretBytes(utf8: "correct horse 中文密码")
      let scanner = try MemoryScanner()
      look(for: Self.partsKey, scanner)
      _ = try parts.decrypt(password: password)
      #expect(scanner.occurrences() == 0)
    }

    @Test(arguments: [encryptionKey, hmacKey]) func keyOfRNCryptorIsGone(key: String) throws {
      let message = try Fixture.data("legacy/rncryptor-password.bin")
      let password = SecretBytes(utf8: "correct horse 中文密码")
      let scanner = try MemoryScanner()
      look(for: key, scanner)
      _ = try RNCryptorV3.decrypt(message, password: password)
      #expect(scanner.occurrences() == 0)
    }

    // Control: these are the keys, and one that is kept is found.
    @Test func keyThatIsKeptIsFound() throws {
      let scanner = try MemoryScanner()
      let parts = try PasswordEncryptedParts(
        propertyList: Fixture.data("legacy/parts-binary.plist"))
      let password = SecretBytes(utf8: "correct horse 中文密码")
      let key = try PasswordKDF.unchecked(.pbkdf2SHA512, cost: 14_271)
        .deriveKey(from: password, salt: parts.salt)
      look(for: Self.partsKey, scanner)
      #expect(scanner.occurrences() >= 1)
      #expect(key.count == 32)
    }
  }
#endif
