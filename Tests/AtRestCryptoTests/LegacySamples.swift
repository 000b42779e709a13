import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// The sample of older formats in docs/Crypto.md. Between the marks is what the page shows.
@Suite struct LegacySamples {
  private let passphrase = "four purple rhinos cooking"

  @Test func readOlderFormats() throws {
    let secret = Data("an older secret".utf8)
    let password = SecretBytes(utf8: passphrase)
    let message = try RNCryptorV3.encrypt(secret, password: password)
    let written = try PasswordEncryptedParts.encrypt(secret, password: password)
    // sample: read older formats
    let fromRNCryptor = try RNCryptorV3.decrypt(message, password: password)
    let parts = try PasswordEncryptedParts(
      encryptedData: written.encryptedData, initializationVector: written.initializationVector,
      salt: written.salt)
    let fromParts = try parts.decrypt(password: password)  // not authenticated: check what you get
    // sample: end
    #expect(fromRNCryptor == secret && fromParts == secret)
  }
}
