import Foundation
import Security
import Testing

@Suite struct KeyEncryptionTests {
  /// The algorithms with a ciphertext from another implementation, and the keys for them.
  private static let cases = Fixture.outputs("encrypt")

  private func decrypt(
    _ ciphertext: Data, _ key: SecKey, _ algorithm: SecKeyAlgorithm
  ) -> (Data?, Int?) {
    let (plaintext, code) = status {
      SecKeyCreateDecryptedData(key, algorithm, ciphertext as CFData, $0)
    }
    return (plaintext as Data?, code)
  }

  @Test(arguments: cases)
  func messagesComeBack(output: Fixture.Output) throws {
    let publicKey = try Fixture.publicKey(output.keyName)
    let key = try Fixture.key(output.keyName)
    for message in [Fixture.message, Data(), Data([0, 0, 1])] {
      let ciphertext = try #require(
        SecKeyCreateEncryptedData(publicKey, output.algorithm, message as CFData, nil) as Data?)
      #expect(decrypt(ciphertext, key, output.algorithm) == (message, nil))
    }
    // Each ciphertext is different.
    #expect(
      SecKeyCreateEncryptedData(publicKey, output.algorithm, NSData(), nil)
        != SecKeyCreateEncryptedData(publicKey, output.algorithm, NSData(), nil))
  }

  @Test(arguments: cases.filter { $0.algorithm != .rsaEncryptionPKCS1 })
  func damageIsRefused(output: Fixture.Output) throws {
    let key = try Fixture.key(output.keyName)
    let sealed = output.bytes
    let damaged = [
      sealed.flipped(at: 0), sealed.flipped(at: 1), sealed.flipped(at: 40),
      sealed.flipped(at: -20), sealed.flipped(at: -1), sealed.dropLast(), sealed + [0],
      sealed.prefix(70), sealed.prefix(1), Data(),
    ]
    for ciphertext in damaged {
      #expect(decrypt(ciphertext, key, output.algorithm) == (nil, -50))
    }
  }

  @Test func anotherKeyAndAnotherAlgorithmDecryptNothing() throws {
    let output = try #require(Self.cases.first { $0.keyName == "p256" })
    let other = try Fixture.key("p256-other")
    #expect(decrypt(output.bytes, other, output.algorithm) == (nil, -50))
    let key = try Fixture.key("p256")
    #expect(
      decrypt(output.bytes, key, .eciesEncryptionStandardVariableIVX963SHA384AESGCM)
        == (nil, -50))
  }

  @Test func rsaAloneTakesShortMessagesOnly() throws {
    let key = try Fixture.publicKey("rsa2048")
    for (algorithm, limit) in [
      (SecKeyAlgorithm.rsaEncryptionPKCS1, 245), (.rsaEncryptionOAEPSHA1, 214),
      (.rsaEncryptionOAEPSHA256, 190),
    ] {
      let fits = Data(count: limit) as CFData
      #expect(SecKeyCreateEncryptedData(key, algorithm, fits, nil)?.length == 256)
      let long = Data(count: limit + 1) as CFData
      #expect(status { SecKeyCreateEncryptedData(key, algorithm, long, $0) }.code == -50)
    }
    let large = Data(count: 100_000) as CFData
    #expect(
      SecKeyCreateEncryptedData(key, .rsaEncryptionOAEPSHA256AESGCM, large, nil)?.length
        == 256 + 100_000 + 16)
  }

  @Test func theOlderCallsEncryptAndDecrypt() throws {
    let message = Array(Fixture.message)
    for padding in [SecPadding.PKCS1, .OAEP] {
      var ciphertext = [UInt8](repeating: 0, count: 256)
      var count = 256
      #expect(
        SecKeyEncrypt(
          try Fixture.publicKey("rsa2048"), padding, message, message.count, &ciphertext, &count)
          == 0)
      var plaintext = [UInt8](repeating: 0, count: 256)
      var plainCount = 256
      #expect(
        SecKeyDecrypt(
          try Fixture.key("rsa2048"), padding, ciphertext, count, &plaintext, &plainCount) == 0)
      #expect(Array(plaintext.prefix(plainCount)) == message)
    }
  }
}
