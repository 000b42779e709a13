import AtRestCrypto

/// The parts of a secret that are masked by themselves: the whole without the newlines at its end, and each
/// line of it without white space around.
enum MaskedPart {
  /// The length of the shortest part that is masked. Masking shorter ones would hide ordinary text.
  static let shortest = 4

  /// Returns the parts of a secret that are long enough to be masked.
  static func all(of secret: borrowing SecretBytes) -> [SecretBox] {
    secret.withUnsafeBytes { whole in
      parts(of: whole).filter { $0.count >= shortest }.map {
        SecretBox(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0)))
      }
    }
  }

  /// True if the secret, or one of its lines, is too short to be masked.
  static func hasShort(_ secret: borrowing SecretBytes) -> Bool {
    secret.withUnsafeBytes { whole in parts(of: whole).contains { $0.count < shortest } }
  }

  private static func parts(of secret: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    let lines = secret.split(whereSeparator: isNewline)
    let end = secret.lastIndex { !isNewline($0) } ?? -1
    let texts = lines.compactMap { line -> Slice<UnsafeRawBufferPointer>? in
      guard let first = line.firstIndex(where: { !isSpace($0) }),
        let last = line.lastIndex(where: { !isSpace($0) })
      else { return nil }
      return line[first...last]
    }
    return [secret[...end]] + (lines.count > 1 ? texts : [])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  private static func isNewline(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
}
