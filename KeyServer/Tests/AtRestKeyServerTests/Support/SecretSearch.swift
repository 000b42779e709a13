@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Searches bytes for any 12 consecutive bytes of a secret, plain or encoded.
enum SecretSearch {
  private static let window = 12

  /// Returns the forms in which a part of the secret was found.
  static func forms(of secret: Data, in bytes: Data) -> Set<String> {
    precondition(secret.count >= window, "The secret is too short to search for.")
    var found: Set<String> = []
    for start in 0...secret.count - window {
      let part = Data(Array(secret)[start..<start + window])
      // Twelve bytes are four groups of base64, at whatever place the text begins to be encoded.
      let base64 = part.base64EncodedString()
      let forms = [
        "raw": part,
        "reversed": Data(part.reversed()),
        "UTF-16": Data(part.flatMap { [$0, 0] }),
        "hexadecimal": Data(part.hexadecimal.utf8),
        "upper-case hexadecimal": Data(part.hexadecimal.uppercased().utf8),
        "base64": Data(base64.utf8),
        "base64url": Data(
          base64.replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").utf8),
      ]
      for (name, form) in forms where bytes.range(of: form) != nil { found.insert(name) }
    }
    return found
  }
}
