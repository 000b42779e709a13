#if os(Linux)
  import AtRestCrypto
  import AtRestLegacy
  import Foundation
  import Testing

  /// Keys that the legacy formats derive are erased before the call returns.
  ///
  /// The test searches for whole keys, because the allocator overwrites half of a freed block of 32
  /// bytes in any case.
  @Suite(.serialized) struct LegacyErasureTests {
    // Made by Python (`hashlib`, `rncryptor`) from the password "erase me", including the keys. The
    // password is not used elsewhere, because tests run in parallel in one memory.
    private static let salt = "a5c425a27b466ddb"
    private static let iv = "d2a6db5ab7b75ec5493a9796d0cde532"
    private static let ciphertext = "de64e304beb6a27b5140a3a47c0c9235"
    private static let partsKey = "cde9562828c954986cc34d8fcf930aea795401a6a9396877160c3cc66af7997b"
    private static let message = """
      03019ca906d8fbec9994c520384f9837ebd18b3ca5168221184f94f7466ced9bd97070f3eb678444f9\
      e51cad4d071d565853efe0ec4acfd0ac5c8d6441e2f6e9ea229c120fb887c11d71edc50eee14e246cb
      """
    private static let encryptionKey =
      "04b7e38ab4e5553a7f24100a4ced1e5631fd862fa227b5fca20e1f05ef5a4490"
    private static let hmacKey = "2e88369113e4170181681101cf737d216819a970c24f8780459f31d46d760b59"

    // Written directly into locked memory: a temporary array would be found.
    private func look(for hex: String, _ scanner: MemoryScanner) {
      let key = SecretBytes(count: 32) { key in
        var digits = hex.utf8.makeIterator()
        func digit() -> UInt8 {
          let digit = digits.next() ?? 0
          return digit < 0x3A ? digit - 0x30 : digit - 0x57
        }
        for index in key.indices { key[index] = digit() << 4 | digit() }
      }
      key.withUnsafeBytes { scanner.look(for: $0) }
    }

    @Test func keyOfPartsIsGone() throws {
      let parts = try PasswordEncryptedParts(
        encryptedData: Data(hex: Self.ciphertext), initializationVector: Data(hex: Self.iv),
        salt: Data(hex: Self.salt))
      let password = SecretBytes(utf8: "erase me")
      let scanner = try MemoryScanner()
      look(for: Self.partsKey, scanner)
      #expect(try parts.decrypt(password: password) == Data("note".utf8))
      #expect(scanner.occurrences() == 0)
    }

    @Test(arguments: [encryptionKey, hmacKey]) func keyOfRNCryptorIsGone(key: String) throws {
      let message = Data(hex: Self.message)
      let password = SecretBytes(utf8: "erase me")
      let scanner = try MemoryScanner()
      look(for: key, scanner)
      #expect(try RNCryptorV3.decrypt(message, password: password) == Data("note".utf8))
      #expect(scanner.occurrences() == 0)
    }

    // Control: a derived key that is kept is found.
    @Test func keyThatIsKeptIsFound() throws {
      let key = try PasswordKDF.unchecked(.pbkdf2SHA512, cost: 14_271)
        .deriveKey(from: .random(count: 8), salt: Data(hex: Self.salt))
      let scanner = try MemoryScanner()
      key.withUnsafeBytes { scanner.look(for: $0) }
      #expect(scanner.occurrences() >= 1)
      #expect(key.count == 32)
    }
  }
#endif
