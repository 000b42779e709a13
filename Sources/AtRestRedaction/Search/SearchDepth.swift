/// The number of encodings that may still be resolved, one inside the other.
struct SearchDepth {
  /// Encodings of a whole text, such as percent encoding.
  private(set) var forms = 2
  /// Encodings of bytes in a run, such as base64.
  private(set) var runs = 2
  private var total = 3

  var allowsForm: Bool { forms > 0 && total > 0 }
  var allowsRun: Bool { runs > 0 && total > 0 }

  func withoutForm() -> SearchDepth {
    var depth = self
    depth.forms -= 1
    depth.total -= 1
    return depth
  }

  func withoutRun() -> SearchDepth {
    var depth = self
    depth.runs -= 1
    depth.total -= 1
    return depth
  }

  /// The minimum number of printable characters in a row in which another encoding is looked for.
  static let minimumText = 11

  /// Returns true if decoded bytes may be encoded once more.
  static func mayBeEncoded(_ bytes: some Sequence<UInt8>) -> Bool {
    var count = 0
    for byte in bytes {
      count = (0x20..<0x7F).contains(byte) || byte == 0x0a || byte == 0x0d ? count + 1 : 0
      if count >= minimumText { return true }
    }
    return false
  }
}
