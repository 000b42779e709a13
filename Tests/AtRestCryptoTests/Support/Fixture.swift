import AtRestCrypto
import Foundation

/// The files that OpenSSL made, in `Fixtures`.
enum Fixture {
  static func data(_ name: String) throws -> Data {
    try Data(contentsOf: Resource.url("Fixtures/\(name)"))
  }

  static func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }

  static func privateKey(_ name: String) throws -> PrivateKey {
    try PrivateKey(importing: SecretBytes(data("\(name).pem")))
  }

  static func publicKey(_ name: String) throws -> PublicKey {
    try PublicKey(importing: data("\(name).pem"))
  }

  /// A signature or ciphertext of the message `AtRest`.
  static func output(_ name: String) throws -> Data {
    let line = try text("outputs.txt").split(separator: "\n").first { $0.hasPrefix(name + " ") }
    guard let line else { throw CocoaError(.fileNoSuchFile) }
    return Data(hex: line.dropFirst(name.count + 1))
  }

  /// Returns the bytes within a PEM file, decoded by Foundation rather than by the code under test.
  static func der(_ name: String) throws -> Data {
    let lines = try text("\(name).pem").split(separator: "\n").filter { !$0.hasPrefix("-----") }
    guard let der = Data(base64Encoded: lines.joined()) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return der
  }
}

/// Files beside the tests.
enum Resource {
  static func url(_ path: String) -> URL {
    Bundle.module.bundleURL.appendingPathComponent(path)
  }
}
