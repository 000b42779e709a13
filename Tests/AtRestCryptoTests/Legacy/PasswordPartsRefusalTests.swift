import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// Malformed parts are refused. The tests also show the changes that the format cannot detect.
@Suite struct PasswordPartsRefusalTests {
  private func fixture() throws -> PasswordEncryptedParts {
    try PasswordEncryptedParts(propertyList: Fixture.data("legacy/parts-binary.plist"))
  }

  private func decrypt(
    _ password: String, _ parts: PasswordEncryptedParts
  ) throws -> Data {
    try parts.decrypt(password: SecretBytes(utf8: password))
  }

  @Test func wrongPassword() throws {
    let parts = try fixture()
    // Control: the right password opens it.
    #expect(throws: Never.self) { try decrypt("correct horse 中文密码", parts) }
    for wrong in ["", "correct horse", "correct horse 中文密碼"] {
      let error = #expect(throws: AtRestError.self) { try decrypt(wrong, parts) }
      #expect(error?.code == .authenticationFailed)
    }
  }

  // One text for all failures, because the kind of failure could reveal the plaintext.
  @Test func everyFailureOfPaddingReadsTheSame() throws {
    let parts = try fixture()
    var messages: [String] = []
    for bit in 0..<8 {
      // The block before the last one affects the padding, a single byte here.
      var data = parts.encryptedData
      data[data.count - 17] ^= 1 << bit
      let changed = try PasswordEncryptedParts(
        encryptedData: data, initializationVector: parts.initializationVector, salt: parts.salt)
      do {
        _ = try decrypt("correct horse 中文密码", changed)
      } catch { messages.append("\(error)") }
    }
    do { _ = try decrypt("wrong", parts) } catch { messages.append("\(error)") }
    #expect(messages.count == 9 && Set(messages).count == 1)
  }

  // This is why `isAuthenticated` is false. If one of these were refused, the documentation would
  // be wrong.
  @Test func changesGoUnnoticed() throws {
    #expect(PasswordEncryptedParts.isAuthenticated == false)
    let parts = try fixture()
    var iv = parts.initializationVector
    iv[0] ^= UInt8(ascii: "T") ^ UInt8(ascii: "S")
    let changed = try PasswordEncryptedParts(
      encryptedData: parts.encryptedData, initializationVector: iv, salt: parts.salt)
    let plaintext = try decrypt("correct horse 中文密码", changed)
    #expect(String(decoding: plaintext, as: UTF8.self).hasPrefix("She quick brown fox"))
  }

  @Test func aWrongPasswordMayGoUnnoticed() throws {
    // Found by trying, one in 256.
    let plaintext = try decrypt("wrong 176", fixture())
    #expect(try plaintext != Fixture.data("legacy/plaintext.txt"))
  }

  @Test(arguments: [(0, 16, 8), (15, 16, 8), (17, 16, 8), (16, 0, 8), (16, 15, 8), (16, 17, 8)])
  func wrongSizes(data: Int, iv: Int, salt: Int) throws {
    try expectDamaged(data: data, iv: iv, salt: salt)
  }

  @Test(arguments: [0, 7, 9, 16]) func wrongSizeOfSalt(count: Int) throws {
    try expectDamaged(data: 16, iv: 16, salt: count)
  }

  private func expectDamaged(data: Int, iv: Int, salt: Int) throws {
    func parts(_ data: Int, _ iv: Int, _ salt: Int) throws {
      _ = try PasswordEncryptedParts(
        encryptedData: Data(count: data), initializationVector: Data(count: iv),
        salt: Data(count: salt))
    }
    let error = #expect(throws: AtRestError.self) { try parts(data, iv, salt) }
    #expect(error?.code == .damaged)
    // Control: the right sizes are accepted.
    #expect(throws: Never.self) { try parts(16, 16, 8) }
  }

  @Test func emptyPasswordsProtectNothing() {
    let error = #expect(throws: AtRestError.self) {
      try PasswordEncryptedParts.encrypt(Data("note".utf8), password: SecretBytes(utf8: ""))
    }
    #expect(error?.code == .invalidArgument)
  }

  // The zeros are never accessed, so they take no memory.
  @Test func tooMuch() throws {
    let error = #expect(throws: AtRestError.self) {
      try PasswordEncryptedParts.encrypt(
        Data(count: PasswordEncryptedParts.maximumCount + 1), password: SecretBytes(utf8: "a"))
    }
    #expect(error?.code == .invalidArgument)
    let other = #expect(throws: AtRestError.self) {
      try PasswordEncryptedParts(
        encryptedData: Data(count: PasswordEncryptedParts.maximumCount + 32),
        initializationVector: Data(count: 16), salt: Data(count: 8))
    }
    #expect(other?.code == .invalidArgument)
  }
}
