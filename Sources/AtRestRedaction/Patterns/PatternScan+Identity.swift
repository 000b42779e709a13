@_spi(Tools) import AtRestSecrets

extension PatternScan {
  /// Finds numbers by which states identify persons, in the loose form of ``IdentityForm``.
  static func identityNumbers(_ text: [UInt8], _ found: Found) {
    text.withUnsafeBufferPointer { text in
      words(of: text, where: { $0.isDigit || $0.isCapital }) { start in
        IdentityForm.looseEnd(in: text, at: start)
      } found: {
        found($0)
      }
    }
  }
}
