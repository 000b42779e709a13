import AtRestCrypto

/// A string of JSON that contains a secret, in locked memory.
enum JSONText {
  /// Returns a secret as a string of JSON, in quotes.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret is not UTF-8 text.
  static func quoted(_ secret: borrowing SecretBytes) throws -> SecretBytes {
    try secret.withUnsafeBytes { bytes in
      guard String(validating: bytes, as: UTF8.self) != nil else {
        throw AtRestError.invalid(
          "The secret is not UTF-8 text, which the protocol demands.",
          remedy: "Store it as text, for example in Base64.")
      }
      let inner = OutputForm.escaped(bytes, OutputForm.inJSON)
      return SecretBytes(count: inner.count + 2) { result in
        result[0] = UInt8(ascii: "\"")
        inner.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: result[1..<result.count - 1]).copyMemory(from: $0)
        }
        result[result.count - 1] = UInt8(ascii: "\"")
      }
    }
  }

  /// Returns text as a string of JSON, in quotes.
  static func quoted(_ text: String) -> String {
    "\"" + String(decoding: text.utf8.flatMap(OutputForm.inJSON), as: UTF8.self) + "\""
  }
}
