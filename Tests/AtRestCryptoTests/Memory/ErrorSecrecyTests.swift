import AtRestCrypto
import Foundation
import Testing

/// No error shows a part of the secret that caused it.
@Suite struct ErrorSecrecyTests {
  // The secret is text, so it would be visible in a message. No key has 26 characters.
  private static let marker = "hunter2-Zx81-do-not-show-me"

  private func description(of body: () throws -> Void) -> String {
    do {
      try body()
    } catch let error as AtRestError {
      return "\(error) \(error.message) \(error.remedy) \(error.cause.map { "\($0)" } ?? "")"
        + String(reflecting: error)
    } catch {
      return String(reflecting: error)
    }
    Issue.record("No error was thrown.")
    return ""
  }

  private func expectSecrecy(
    _ marker: String = marker, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let description = description(of: body)
    #expect(!description.isEmpty, sourceLocation: sourceLocation)
    for form in [marker, Data(marker.utf8).hex, Data(marker.utf8).base64EncodedString()] {
      for length in [form.count, 8] {
        #expect(
          !description.contains(form.prefix(length)), "\(description)",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test func sealingAndWrapping() throws {
    expectSecrecy { _ = try SealingKey(SecretBytes(utf8: Self.marker)) }
    expectSecrecy { _ = try WrappingKey(SecretBytes(utf8: Self.marker)) }
    expectSecrecy {
      _ = try WrappingKey(.random(count: 32)).wrap(SecretBytes(utf8: Self.marker))
    }
    expectSecrecy {
      let box = try SealingKey.random().seal(SecretBytes(utf8: Self.marker), context: Data())
      _ = try SealingKey.random().open(box, context: Data(), name: "box")
    }
  }

  @Test func passwords() {
    expectSecrecy {
      // scrypt refuses an N of 1.
      let kdf = PasswordKDF.unchecked(.scrypt, cost: 0, blockSize: 8, parallelism: 1)
      _ = try kdf.deriveKey(from: SecretBytes(utf8: Self.marker), salt: Data(count: 16))
    }
  }

  @Test(arguments: KeyAlgorithm.tested)
  func rawKeys(algorithm: KeyAlgorithm) {
    expectSecrecy {
      _ = try PrivateKey(rawRepresentation: SecretBytes(utf8: Self.marker), algorithm: algorithm)
    }
    expectSecrecy {
      _ = try PrivateKey(storage: SecretBytes(utf8: Self.marker), algorithm: algorithm)
    }
  }

  @Test func importedKeys() {
    let marker = Self.marker
    let base64 = Data(marker.utf8).base64EncodedString()
    for text in [
      marker, "-----BEGIN \(marker)-----\n\(base64)\n-----END \(marker)-----",
      "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----",
      "-----BEGIN EC PRIVATE KEY-----\n\(base64)\n-----END EC PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\n\(base64)\n-----END RSA PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\n\(marker)\n-----END PRIVATE KEY-----",
    ] {
      expectSecrecy { _ = try PrivateKey(importing: SecretBytes(utf8: text)) }
    }
    expectSecrecy { _ = try PrivateKey(x963Representation: SecretBytes(utf8: marker)) }
  }

  // Control: the check detects a secret that is shown.
  @Test func checkSeesWhatIsShown() {
    let shown = description { throw AtRestError.invalid("\(Self.marker)", remedy: "") }
    #expect(shown.contains(Self.marker))
  }
}
