/// Classes of bytes in ASCII text.
@_spi(Tools) extension UInt8 {
  @inlinable public var isDigit: Bool { self &- 0x30 < 10 }
  @inlinable public var isCapital: Bool { self &- 0x41 < 26 }
  @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inlinable public var isAlphanumeric: Bool { isLetter || isDigit }
  @inlinable public var isBlank: Bool { self == 0x20 || self &- 9 < 5 }
  @inlinable public var lowercased: UInt8 { isCapital ? self | 0x20 : self }

  /// The value of a hex digit, or nil for another byte.
  @inlinable public var hexDigit: UInt8? {
    if isDigit { return self &- 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }
}
