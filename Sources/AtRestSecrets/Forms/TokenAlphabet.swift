/// The characters of a token after its beginning.
public enum TokenAlphabet: String, CaseIterable, Sendable {
  case capitals = "A-Z 0-9"
  case hex = "a-f 0-9"
  case alphanumeric = "A-Z a-z 0-9"
  case word = "A-Z a-z 0-9 _"
  case url = "A-Z a-z 0-9 _ -"
  case dotted = "A-Z a-z 0-9 _ - ."
  case base64 = "A-Z a-z 0-9 + / ="
  case path = "A-Z a-z 0-9 _ - . /"

  /// Returns true for a character of the alphabet.
  public func contains(_ byte: UInt8) -> Bool {
    switch self {
    case .capitals: byte.isDigit || byte.isCapital
    case .hex: byte.isDigit || byte &- 0x61 < 6
    case .alphanumeric: byte.isAlphanumeric
    case .word: byte.isAlphanumeric || byte == 0x5F
    case .url: byte.isAlphanumeric || byte == 0x5F || byte == 0x2D
    case .dotted: byte.isAlphanumeric || byte == 0x5F || byte == 0x2D || byte == 0x2E
    case .base64: byte.isAlphanumeric || byte == 0x2B || byte == 0x2F || byte == 0x3D
    case .path: byte.isAlphanumeric || byte == 0x5F || 0x2D...0x2F ~= byte
    }
  }

  /// The alphabet for text in which a token may have a new form.
  var loose: TokenAlphabet {
    switch self {
    case .hex, .alphanumeric: .word
    default: self
    }
  }
}
