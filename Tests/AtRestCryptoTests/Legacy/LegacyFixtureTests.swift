import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// Files of other software can be opened, and nothing here ever writes these files again.
@Suite struct LegacyFixtureTests {
  private static let password = "correct horse 中文密码"

  private func fixture(_ name: String) throws -> Data { try Fixture.data("legacy/\(name)") }

  private func parts(_ data: String) throws -> PasswordEncryptedParts {
    try PasswordEncryptedParts(
      encryptedData: fixture(data), initializationVector: fixture("parts-iv.bin"),
      salt: fixture("parts-salt.bin"))
  }

  @Test func partsOfOpenSSL() throws {
    let plaintext = try parts("parts-data.bin").decrypt(password: SecretBytes(utf8: Self.password))
    #expect(try plaintext == fixture("plaintext.txt"))
  }

  @Test func partsOfOpenSSLInECB() throws {
    let password = SecretBytes(utf8: Self.password)
    let parts = try parts("parts-data-ecb.bin")
    #expect(try parts.decrypt(password: password, blockMode: .ecb) == fixture("plaintext.txt"))
    // Control: it does not open in the other mode.
    #expect(throws: AtRestError.self) { try parts.decrypt(password: password) }
  }

  @Test(arguments: ["parts-binary.plist", "parts-xml.plist"])
  func propertyListsOfPython(name: String) throws {
    let list = try fixture(name)
    #expect(PasswordEncryptedParts.isPropertyList(list) == true)
    #expect(try PasswordEncryptedParts(propertyList: list) == parts("parts-data.bin"))
  }

  @Test func passwordFormOfPython() throws {
    let message = try fixture("rncryptor-password.bin")
    #expect(RNCryptorV3.isRNCryptor(message) == true)
    let plaintext = try RNCryptorV3.decrypt(message, password: SecretBytes(utf8: Self.password))
    #expect(try plaintext == fixture("plaintext.txt"))
  }

  @Test func keyFormOfOpenSSL() throws {
    let message = try fixture("rncryptor-keys.bin")
    #expect(RNCryptorV3.isRNCryptor(message) == true)
    let plaintext = try RNCryptorV3.decrypt(
      message, encryptionKey: SecretBytes(Data(0..<32)), hmacKey: SecretBytes(Data(32..<64)))
    #expect(try plaintext == fixture("plaintext.txt"))
  }

  // Control: other beginnings are not recognised.
  @Test func otherFilesAreNotTakenForThese() throws {
    let plaintext = try fixture("plaintext.txt")
    #expect(RNCryptorV3.isRNCryptor(plaintext) == false)
    #expect(PasswordEncryptedParts.isPropertyList(plaintext) == false)
    #expect(RNCryptorV3.isRNCryptor(try fixture("parts-binary.plist")) == false)
    #expect(PasswordEncryptedParts.isPropertyList(try fixture("rncryptor-password.bin")) == false)
    for head in [Data(), Data([3]), Data([3, 2]), Data([2, 1]), Data([4, 1])] {
      #expect(RNCryptorV3.isRNCryptor(head) == false)
      #expect(PasswordEncryptedParts.isPropertyList(head) == false)
    }
  }
}
