@_spi(Tools) import AtRestSecrets

extension PatternScan {
  /// Finds the tokens of services, in the loose form of ``TokenForm``.
  static func serviceTokens(_ text: [UInt8], _ found: Found) {
    text.withUnsafeBufferPointer { text in
      words(of: text, where: { $0.isAlphanumeric }) { start in
        let isApart = start == 0 || !text[start - 1].isBase64URL
        return isApart ? TokenForm.looseEnd(in: text, at: start) : nil
      } found: {
        found($0)
      }
    }
  }
}
