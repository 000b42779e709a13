import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// Encrypted parts decrypt to the original plaintext.
@Suite struct PasswordPartsRoundTripTests {
  @Test(arguments: [0, 1, 15, 16, 17, 1_000])
  func plaintextOfEverySize(count: Int) throws {
    let plaintext = RandomBytes.data(count: count)
    let password = SecretBytes(utf8: "123456")
    let parts = try PasswordEncryptedParts.encrypt(plaintext, password: password)
    #expect(parts.encryptedData.count == (count / 16 + 1) * 16)
    #expect(parts.initializationVector.count == 16 && parts.salt.count == 8)
    #expect(try parts.decrypt(password: password) == plaintext)
  }

  @Test(arguments: ["密码", "é", "e\u{301}", "with\u{0}nul", String(repeating: "long", count: 100)])
  func passwordIsItsBytes(text: String) throws {
    let parts = try PasswordEncryptedParts.encrypt(
      Data("note".utf8), password: SecretBytes(utf8: text))
    #expect(try parts.decrypt(password: SecretBytes(Data(text.utf8))) == Data("note".utf8))
  }

  @Test func encryptsTwiceDifferently() throws {
    let password = SecretBytes(utf8: "123456")
    let first = try PasswordEncryptedParts.encrypt(Data("note".utf8), password: password)
    let second = try PasswordEncryptedParts.encrypt(Data("note".utf8), password: password)
    #expect(first.salt != second.salt)
    #expect(first.initializationVector != second.initializationVector)
    #expect(first.encryptedData != second.encryptedData)
  }

  @Test func equalBlocksDoNotShow() throws {
    let parts = try PasswordEncryptedParts.encrypt(
      Data(count: 64), password: SecretBytes(utf8: "123456"))
    let blocks = stride(from: 0, to: 64, by: 16).map { parts.encryptedData[$0..<$0 + 16] }
    #expect(Set(blocks.map { Data($0) }).count == 4)
  }

  @Test func partsMayBeSlices() throws {
    let password = SecretBytes(utf8: "123456")
    let parts = try PasswordEncryptedParts.encrypt(Data("note".utf8), password: password)
    func slice(_ data: Data) -> Data { ([0, 0, 0] + data).dropFirst(3) }
    let again = try PasswordEncryptedParts(
      encryptedData: slice(parts.encryptedData),
      initializationVector: slice(parts.initializationVector), salt: slice(parts.salt))
    #expect(try again == parts && again.decrypt(password: password) == Data("note".utf8))
  }
}
