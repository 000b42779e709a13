import AtRestCrypto
@_spi(Tools) import AtRestSecrets
import Foundation

/// The byte strings that stand for one secret: its bytes, and for text its Unicode normal forms, each
/// in UTF-8 and UTF-16.
///
/// Each form is in locked memory and erased after use. The normal forms of text beyond ASCII are
/// made from strings, which are not.
enum SecretForms {
  /// Calls a closure with each form of a secret.
  static func forEach(of secret: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    body(secret)
    guard secret.contains(where: { $0 >= 0x80 }) else { return utf16(ofASCII: secret, body) }
    guard let text = String(validating: secret.bindMemory(to: UInt8.self), as: UTF8.self) else {
      return
    }
    let forms = [
      text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
    ]
    for form in forms where !form.utf8.elementsEqual(text.utf8) {
      SecretBytes(utf8: form).withUnsafeBytes(body)
    }
    var seen: [[UInt16]] = []
    for form in [text] + forms {
      let units = Array(form.utf16)
      guard !seen.contains(units) else { continue }
      seen.append(units)
      // Both orders of bytes.
      for shift in [0, 8] {
        SecretBytes(count: units.count * 2) { bytes in
          for (index, unit) in units.enumerated() {
            bytes[2 * index] = UInt8(truncatingIfNeeded: unit >> UInt16(shift))
            bytes[2 * index + 1] = UInt8(truncatingIfNeeded: unit >> UInt16(8 - shift))
          }
        }.withUnsafeBytes(body)
      }
    }
  }

  /// Calls a closure with ASCII text in UTF-16. Without the last zero, it is the same in both orders
  /// of bytes.
  private static func utf16(
    ofASCII secret: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard secret.count > 0 else { return }
    SecretBytes(count: secret.count * 2 - 1) { bytes in
      for (index, byte) in secret.enumerated() { bytes[2 * index] = byte }
    }.withUnsafeBytes(body)
  }

  /// Calls a closure with a form of a secret in lower case and, beyond ASCII, in upper case, with
  /// ASCII letters in lower case in both.
  static func forEachCase(
    of form: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    func folded(_ bytes: UnsafeRawBufferPointer) {
      SecretBytes(count: bytes.count) { copy in
        for (index, byte) in bytes.enumerated() { copy[index] = byte.lowercased }
      }.withUnsafeBytes(body)
    }
    folded(form)
    guard form.contains(where: { $0 >= 0x80 }),
      let text = String(validating: form.bindMemory(to: UInt8.self), as: UTF8.self)
    else { return }
    for other in [text.lowercased(), text.uppercased()] {
      SecretBytes(utf8: other).withUnsafeBytes(folded)
    }
  }
}
