import AtRestCrypto
@_spi(Tools) import AtRestSecrets

/// The beginnings of secrets, for a stream whose end is held back while it may become one.
package struct SecretBeginnings: KnownBytes, Sendable {
  /// The bytes at the end of a text that are decoded. Sixteen bytes of a secret, which are withheld as a part of
  /// it, take up fewer in every encoding.
  private static let reach = 1024
  /// The longest end of a text that no byte is decoded from, such as the separator of a list.
  private static let longestRest = 16

  private let forms: [SecretBox]
  /// One byte of a decoded text is the beginning of a secret by chance.
  let shortest = 2

  package init(_ secrets: [SecretBox]) {
    var forms: [SecretBox] = []
    for secret in secrets {
      secret.bytes.withUnsafeBytes { bytes in
        SecretForms.forEach(of: bytes) { forms.append(SecretBox(SecretBytes(copying: $0))) }
      }
    }
    self.forms = forms
  }

  package var isEmpty: Bool { forms.isEmpty }

  /// Returns the number of bytes at the end of a text that may be the beginning of a secret as it is.
  package func count(atEndOf text: UnsafeRawBufferPointer, least: Int = 1) -> Int {
    forms.reduce(0) { count, form in
      form.bytes.withUnsafeBytes { form in
        var length = min(form.count - 1, text.count)
        while length >= max(least, count + 1) {
          let start = text.count - length
          if text[start] == form[0], text[start...].elementsEqual(form[..<length]) { return length }
          length -= 1
        }
        return count
      }
    }
  }

  /// Returns the number of bytes at the end of a text that may be the beginning of a secret in an encoding.
  package func encodedCount(atEndOf text: [UInt8]) -> Int {
    let tail = Array(text.suffix(Self.reach))
    // The last escape, or the last number of a list, may be incomplete.
    let digits = tail.lastIndex { !$0.isAlphanumeric } ?? -1
    let marks = tail[...max(digits, 0)].lastIndex { !"\\&#%={".utf8.contains($0) } ?? -1
    var start = tail.count
    for part in [tail, Array(tail[..<(marks + 1)])] {
      var search = SecretSearch(self, [])
      search.search(part)
      for range in search.found where part.count - range.upperBound <= Self.longestRest {
        start = min(start, range.lowerBound)
      }
    }
    return tail.count - start
  }

  func find(in bytes: [UInt8], _ found: (Range<Int>) -> Void) {
    let length = bytes.withUnsafeBytes { count(atEndOf: $0, least: shortest) }
    if length > 0 { found(bytes.count - length..<bytes.count) }
  }
}
