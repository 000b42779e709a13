extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isCapital: Bool { self &- 0x41 < 26 }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isAlphanumeric: Bool { isLetter || isDigit }
  var lowercased: UInt8 { isCapital ? self | 0x20 : self }

  /// The value of a hex digit, or nil for another byte.
  var hexDigit: UInt8? {
    if isDigit { return self &- 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }
}
