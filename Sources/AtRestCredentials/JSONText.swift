import AtRestCrypto
import Foundation

/// A string of JSON that contains a secret, in locked memory.
package enum JSONText {
  /// Returns a secret as a string of JSON, in quotes.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret is not UTF-8 text.
  package static func quoted(_ secret: borrowing SecretBytes) throws -> SecretBytes {
    try secret.withUnsafeBytes { bytes in
      guard String(validating: bytes, as: UTF8.self) != nil else {
        throw AtRestError.invalid(
          "The secret is not UTF-8 text, which the protocol demands.",
          remedy: "Store it as text, for example in Base64.")
      }
      return SecretBytes(count: bytes.reduce(2) { $0 + escaped($1).count }) { result in
        var offset = 0
        func append(_ part: some Sequence<UInt8>) {
          for byte in part {
            result[offset] = byte
            offset += 1
          }
        }
        append("\"".utf8)
        for byte in bytes { append(escaped(byte)) }
        append("\"".utf8)
      }
    }
  }

  /// Returns text as a string of JSON, in quotes.
  package static func quoted(_ text: String) -> String {
    "\"" + String(decoding: text.utf8.flatMap(escaped), as: UTF8.self) + "\""
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
    case 10: Array("\\n".utf8)
    case 13: Array("\\r".utf8)
    case 9: Array("\\t".utf8)
    case 0..<32: Array(String(format: "\\u%04x", byte).utf8)
    default: [byte]
    }
  }
}
