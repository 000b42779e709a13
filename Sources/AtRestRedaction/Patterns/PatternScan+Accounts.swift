@_spi(Tools) import AtRestSecrets

extension PatternScan {
  /// Finds bank account numbers (IBAN), with or without spaces between groups of four.
  static func bankAccounts(_ text: [UInt8], _ found: Found) {
    text.withUnsafeBufferPointer { text in
      words(of: text, where: { $0.isAlphanumeric }) { start in
        AccountForm.end(in: text, at: start, loosely: true)
      } found: {
        found($0)
      }
    }
  }

  /// Calls a closure with the range of each match that begins where a word begins.
  static func words(
    of text: UnsafeBufferPointer<UInt8>, where begins: (UInt8) -> Bool, _ end: (Int) -> Int?,
    found: Found
  ) {
    var index = 0
    while index < text.count {
      guard begins(text[index]) else {
        index += 1
        continue
      }
      if let end = end(index) {
        found(index..<end)
        index = end
        continue
      }
      while index < text.count, text[index].isAlphanumeric { index += 1 }
    }
  }
}
