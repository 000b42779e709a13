import AtRestCrypto
import Foundation
import Testing

/// The samples of docs/Crypto.md. Between the marks is what the page shows.
@Suite struct CryptoSamples {
  private let passphrase = "four purple rhinos cooking"

  @Test func encryptUnderAPassword() throws {
    let plaintext = Data("the recipe".utf8)
    // sample: encrypt under a password
    let password = SecretBytes(utf8: passphrase)
    try PassphraseRules.highlySensitive.check(password)  // refuses what can be guessed
    let kdf = PasswordKDF.scrypt()  // takes 128 MiB, and a noticeable time
    let salt = RandomBytes.data(count: 16)  // store it beside the box; it is no secret

    let root = try kdf.deriveKey(from: password, salt: salt)
    let key = try SealingKey(root.derive(Purpose("com.example.recipes.v1")))
    let box = try key.seal(plaintext, context: Data("recipe 7".utf8))
    let opened = try key.open(box, context: Data("recipe 7".utf8), name: "recipe 7")
    // sample: end
    let data = Data(copying: opened)
    #expect(data == plaintext)
    // In another place it does not open.
    #expect(throws: AtRestError.self) {
      let moved = try key.open(box, context: Data("recipe 8".utf8), name: "recipe 8")
      #expect(moved.count == 0)
    }
  }

  @Test func chooseTheCost() {
    // sample: choose the cost
    let calibration = PasswordKDF.calibration(.scrypt, to: .milliseconds(100))
    if let note = calibration.note { print(note) }  // says so if 100 ms is below OWASP's minimum
    let kdf = calibration.kdf
    // sample: end
    #expect(kdf == calibration.kdf)
  }

  @Test func judgeAPassphrase() {
    // sample: judge a passphrase
    let strength = PassphraseStrength(of: SecretBytes(utf8: "liverpool1987"))
    print(strength.log10Guesses, strength.weaknesses)
    // sample: end
    #expect(strength.log10Guesses < 8 && !strength.weaknesses.isEmpty)
  }
}
