import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// RNCryptor data opens only as it was written.
@Suite struct RNCryptorTamperingTests {
  private let plaintext = Data("attack at dawn, or rather at noon".utf8)

  /// The keys of the key form, which derives nothing and is therefore fast enough for a thousand
  /// attempts.
  private func open(_ message: Data, keys: ClosedRange<UInt8> = 0...1) throws -> Data {
    try RNCryptorV3.decrypt(
      message, encryptionKey: SecretBytes(Data(repeating: keys.lowerBound, count: 32)),
      hmacKey: SecretBytes(Data(repeating: keys.upperBound, count: 32)))
  }

  private func seal() throws -> Data {
    try RNCryptorV3.encrypt(
      plaintext, encryptionKey: SecretBytes(Data(repeating: 0, count: 32)),
      hmacKey: SecretBytes(Data(repeating: 1, count: 32)))
  }

  private func code(_ body: () throws -> Data) -> AtRestError.Code? {
    do {
      _ = try body()
      return nil
    } catch { return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "other") }
  }

  // The control for every test below.
  @Test func opensAsItWasWritten() throws {
    #expect(RNCryptorV3.isAuthenticated == true)
    #expect(try open(seal()) == plaintext)
  }

  @Test func refusesAnyChangedBit() throws {
    let message = try seal()
    for index in message.indices {
      for bit in 0..<8 {
        var changed = message
        changed[index] ^= 1 << bit
        let expected: AtRestError.Code =
          switch (index, bit) {
          case (0, _): .unsupportedVersion
          // From the form with keys to the form with a password.
          case (1, 0): .invalidArgument
          case (1, _): .damaged
          default: .authenticationFailed
          }
        #expect(code { try open(changed) } == expected, "Bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func refusesAnyChangedByteUnderAPassword() throws {
    let message = try Fixture.data("legacy/rncryptor-password.bin")
    let password = SecretBytes(utf8: "correct horse 中文密码")
    #expect(throws: Never.self) { try RNCryptorV3.decrypt(message, password: password) }
    for index in message.indices {
      var changed = message
      changed[index] ^= 0x01
      let expected: AtRestError.Code =
        index == 0 ? .unsupportedVersion : index == 1 ? .invalidArgument : .authenticationFailed
      let found = code { try RNCryptorV3.decrypt(changed, password: password) }
      #expect(found == expected, "Byte \(index)")
    }
  }

  @Test func refusesToBeCutOffOrExtendedAnywhere() throws {
    let message = try seal()
    for count in 0..<message.count {
      let expected: [AtRestError.Code?] = [.damaged, .authenticationFailed]
      #expect(expected.contains(code { try open(message.prefix(count)) }), "First \(count)")
      if count < 66 { #expect(code { try open(message.prefix(count)) } == .damaged) }
      if count > 0 { #expect(code { try open(message.suffix(count)) } != nil, "Last \(count)") }
    }
    for count in 1...33 {
      #expect(code { try open(message + Data(count: count)) } != nil, "\(count) bytes more")
    }
    #expect(code { try open(message + message) } != nil)
  }

  @Test func refusesCutOffDataUnderAPassword() throws {
    let message = try Fixture.data("legacy/rncryptor-password.bin")
    let password = SecretBytes(utf8: "correct horse 中文密码")
    for count in 0..<message.count {
      let found = code { try RNCryptorV3.decrypt(message.prefix(count), password: password) }
      // With whole blocks missing, the data still has the form of a message.
      let hasForm = count >= 82 && (count - 82) % 16 == 0
      #expect(found == (hasForm ? .authenticationFailed : .damaged), "First \(count)")
    }
  }

  @Test func refusesAnotherSecret() throws {
    let message = try seal()
    #expect(code { try open(message, keys: 0...2) } == .authenticationFailed)
    let other = try Fixture.data("legacy/rncryptor-password.bin")
    for wrong in ["", "correct horse", "correct horse 中文密碼"] {
      let found = code { try RNCryptorV3.decrypt(other, password: SecretBytes(utf8: wrong)) }
      #expect(found == .authenticationFailed)
    }
  }

  /// Opens a stored message under its HMAC key and 32 consecutive bytes as the encryption key. A new
  /// message has a random IV, so chance would decide whether its padding is right.
  private func openStored(encryptionKey: Range<UInt8>) throws -> Data {
    try RNCryptorV3.decrypt(
      Fixture.data("legacy/rncryptor-keys.bin"),
      encryptionKey: SecretBytes(Data(encryptionKey)), hmacKey: SecretBytes(Data(32..<64)))
  }

  // The HMAC is right here, and the padding under this key is wrong.
  @Test func refusesAnotherEncryptionKey() throws {
    #expect(code { try openStored(encryptionKey: 1..<33) } == .authenticationFailed)
    // Control: the right encryption key opens it.
    #expect(try openStored(encryptionKey: 0..<32) == Fixture.data("legacy/plaintext.txt"))
  }

  @Test func anotherEncryptionKeyMayGoUnnoticed() throws {
    // Found by trying, one in 256.
    let plaintext = try openStored(encryptionKey: 171..<203)
    #expect(try plaintext != Fixture.data("legacy/plaintext.txt"))
  }

  @Test func refusesTheOtherForm() throws {
    let password = SecretBytes(utf8: "123456")
    let message = try seal()
    #expect(code { try RNCryptorV3.decrypt(message, password: password) } == .invalidArgument)
    let other = try Fixture.data("legacy/rncryptor-password.bin")
    #expect(code { try open(other) } == .invalidArgument)
  }

  @Test func namesOtherVersions() throws {
    var message = try seal()
    for version: UInt8 in [0, 1, 2, 4] {
      message[0] = version
      let error = #expect(throws: AtRestError.self) { try open(message) }
      #expect(error?.code == .unsupportedVersion)
      #expect(error?.message.contains("RNCryptor version \(version),") == true)
    }
    let draft = #expect(throws: AtRestError.self) { try open(Data("RNC\u{4}".utf8) + message) }
    #expect(draft?.message.contains("RNCryptor version 4,") == true)
  }

  @Test func refusesUnfitSecrets() throws {
    let short = SecretBytes.random(count: 31)
    let key = SecretBytes.random(count: 32)
    let message = try seal()
    #expect(
      code { try RNCryptorV3.decrypt(message, encryptionKey: short, hmacKey: key) }
        == .invalidArgument)
    #expect(
      code { try RNCryptorV3.encrypt(plaintext, encryptionKey: key, hmacKey: short) }
        == .invalidArgument)
    #expect(
      code { try RNCryptorV3.encrypt(plaintext, encryptionKey: key, hmacKey: key) }
        == .invalidArgument)
    #expect(
      code { try RNCryptorV3.encrypt(plaintext, password: SecretBytes(utf8: "")) }
        == .invalidArgument)
  }

  // The zeros are never accessed, so they take no memory.
  @Test func refusesTooMuch() {
    let much = Data(count: RNCryptorV3.maximumCount + 1)
    let password = SecretBytes(utf8: "a")
    #expect(code { try RNCryptorV3.encrypt(much, password: password) } == .invalidArgument)
  }
}
