import Foundation
import Security
import Testing

/// The files in `Fixtures`, which other implementations created.
enum Fixture {
  /// The message of signatures and ciphertexts.
  static let message = Data("AtRest".utf8)

  static func data(_ name: String) throws -> Data {
    try Data(
      contentsOf: Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name)"))
  }

  private static func lines(_ name: String) -> [[Substring]] {
    guard let text = try? data(name) else { preconditionFailure("\(name) is not there.") }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ")
    }
  }

  /// Returns the external representation of a private key.
  static func keyData(_ name: String) throws -> Data {
    guard let line = lines("keys.txt").first(where: { $0[0] == name }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return Data(hex: line[1])
  }

  static func key(_ name: String) throws -> SecKey {
    let type = name.hasPrefix("rsa") ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
    let attributes: [CFString: Any] = [
      kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
    ]
    var error: Unmanaged<CFError>?
    let key = SecKeyCreateWithData(
      try keyData(name) as CFData, attributes as CFDictionary, &error)
    guard let key else { throw error!.takeRetainedValue() }
    return key
  }

  static func publicKey(_ name: String) throws -> SecKey {
    guard let key = SecKeyCopyPublicKey(try key(name)) else { throw CocoaError(.coderInvalidValue) }
    return key
  }

  /// The output of another implementation for the message.
  struct Output: Sendable, CustomTestStringConvertible {
    let algorithm: SecKeyAlgorithm
    let keyName: String
    let bytes: Data

    var testDescription: String { "\(algorithm.rawValue) \(keyName)" }
  }

  static func outputs(_ kind: String) -> [Output] {
    lines("outputs.txt").filter { $0[0].hasPrefix("algid:\(kind):") }.map {
      Output(
        algorithm: SecKeyAlgorithm(rawValue: String($0[0]) as CFString), keyName: String($0[1]),
        bytes: Data(hex: $0[2]))
    }
  }
}

extension Data {
  /// Creates data from hexadecimal digits. Stops the test if the text is not hexadecimal.
  init(hex: some StringProtocol) {
    let digits = hex.utf8.map { byte in
      guard let value = Character(UnicodeScalar(byte)).hexDigitValue else {
        preconditionFailure("Not hex.")
      }
      return UInt8(value)
    }
    self.init(
      stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  /// Returns a copy with one bit flipped.
  func flipped(at index: Int) -> Data {
    var bytes = self
    bytes[bytes.startIndex + (index < 0 ? bytes.count + index : index)] ^= 1
    return bytes
  }
}

/// Calls a function that reports an error, and returns its result and the code of the error.
func status<Result>(
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Result?
) -> (result: Result?, code: Int?) {
  var error: Unmanaged<CFError>?
  let result = body(&error)
  return (result, error?.takeRetainedValue().code)
}
