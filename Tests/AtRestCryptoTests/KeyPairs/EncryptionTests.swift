import AtRestCrypto
import Foundation
import Testing

/// RSA-OAEP: a message decrypts only with the key to which it was encrypted, and only unmodified.
@Suite struct EncryptionTests {
  @Test(arguments: [0, 1, 32, 190])
  func decryptsWhatWasEncrypted(count: Int) throws {
    let key = try KeyAlgorithm.rsa2048.fixture()
    let secret = SecretBytes.random(count: count)
    let first = try key.publicKey.encrypt(secret)
    let second = try key.publicKey.encrypt(secret)
    #expect(first.count == 256 && first != second)
    #expect(try key.decrypt(first).isEqual(to: secret) == true)
  }

  @Test func refusesSecretsThatDoNotFit() throws {
    let key = try KeyAlgorithm.rsa2048.fixture().publicKey
    #expect(EncryptionPadding.oaepSHA256.maximumMessageCount(for: .rsa2048) == 190)
    let error = #expect(throws: AtRestError.self) { try key.encrypt(.random(count: 191)) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func refusesChangedCiphertextsAndOtherKeys() throws {
    let key = try KeyAlgorithm.rsa2048.fixture()
    let ciphertext = try key.publicKey.encrypt(.random(count: 32))
    var changed: [Data] = [Data(), ciphertext.dropLast(), ciphertext + [0], Data(count: 256)]
    for index in stride(from: 0, to: 256, by: 64) {
      changed.append(ciphertext)
      changed[changed.count - 1][index] ^= 1
    }
    for bytes in changed {
      let error = #expect(throws: AtRestError.self) { _ = try key.decrypt(bytes) }
      #expect(error?.code == .damaged && error?.cause == nil)
    }
    let other = try KeyAlgorithm.rsa3072.fixture()
    let error = #expect(throws: AtRestError.self) { _ = try other.decrypt(ciphertext) }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: [KeyAlgorithm.p256, .ed25519, .x25519])
  func curvesDoNotEncrypt(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    let first = #expect(throws: AtRestError.self) { try key.publicKey.encrypt(.random(count: 1)) }
    let second = #expect(throws: AtRestError.self) { _ = try key.decrypt(Data(count: 256)) }
    #expect(first?.code == .invalidArgument && second?.code == .invalidArgument)
  }
}
