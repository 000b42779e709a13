import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// Data encrypted in RNCryptor's format decrypts to the original plaintext.
@Suite struct RNCryptorRoundTripTests {
  @Test(arguments: [0, 1, 15, 16, 17, 1_000])
  func plaintextOfEverySize(count: Int) throws {
    let plaintext = RandomBytes.data(count: count)
    let password = SecretBytes(utf8: "123456")
    let message = try RNCryptorV3.encrypt(plaintext, password: password)
    #expect(message.starts(with: [3, 1]) && RNCryptorV3.isRNCryptor(message))
    #expect(message.count == 34 + (count / 16 + 1) * 16 + 32)
    #expect(try RNCryptorV3.decrypt(message, password: password) == plaintext)

    let encryptionKey = SecretBytes.random(count: 32)
    let hmacKey = SecretBytes.random(count: 32)
    let other = try RNCryptorV3.encrypt(
      plaintext, encryptionKey: encryptionKey, hmacKey: hmacKey)
    #expect(other.starts(with: [3, 0]) && RNCryptorV3.isRNCryptor(other))
    #expect(other.count == 18 + (count / 16 + 1) * 16 + 32)
    let again = try RNCryptorV3.decrypt(other, encryptionKey: encryptionKey, hmacKey: hmacKey)
    #expect(again == plaintext)
  }

  // Version 2 counted characters instead of bytes, and therefore cut these off.
  @Test func passwordCountsInBytes() throws {
    let password = SecretBytes(utf8: "密码密码")
    let message = try RNCryptorV3.encrypt(Data("note".utf8), password: password)
    #expect(try RNCryptorV3.decrypt(message, password: password) == Data("note".utf8))
    #expect(throws: AtRestError.self) {
      try RNCryptorV3.decrypt(message, password: SecretBytes(Data("密码密码".utf8).prefix(4)))
    }
  }

  @Test func encryptsTwiceDifferently() throws {
    let password = SecretBytes(utf8: "123456")
    let first = try RNCryptorV3.encrypt(Data("note".utf8), password: password)
    let second = try RNCryptorV3.encrypt(Data("note".utf8), password: password)
    for part in [2..<10, 10..<18, 18..<34, 34..<50] {
      #expect(first[part] != second[part], "Bytes \(part)")
    }
    #expect(first[2..<10] != first[10..<18])
  }

  @Test func messageMayBeASlice() throws {
    let password = SecretBytes(utf8: "123456")
    let message = try RNCryptorV3.encrypt(Data("note".utf8), password: password)
    let slice = (Data([3, 1, 0]) + message).dropFirst(3)
    #expect(RNCryptorV3.isRNCryptor(slice) == true)
    #expect(try RNCryptorV3.decrypt(slice, password: password) == Data("note".utf8))
  }
}
