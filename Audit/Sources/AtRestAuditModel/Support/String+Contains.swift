// The standard library compares characters by their canonical forms. Code and names are searched as
// bytes, because there are many of them.

extension String {
  /// Returns true if this text contains the bytes of another text.
  package func contains(_ text: String) -> Bool { utf8.contains(run: text) }
}

extension Substring {
  /// Returns true if this text contains the bytes of another text.
  package func contains(_ text: String) -> Bool { utf8.contains(run: text) }
}

extension [UInt8] {
  /// Returns true if this collection contains these bytes consecutively.
  package func contains(_ run: [UInt8]) -> Bool {
    withUnsafeBufferPointer { bytes in run.withUnsafeBufferPointer { bytes.contains(run: $0) } }
  }
}

extension Collection<UInt8> {
  fileprivate func contains(run text: String) -> Bool {
    let found: Bool? = withContiguousStorageIfAvailable { bytes in
      var text = text
      return text.withUTF8 { bytes.contains(run: $0) }
    }
    return found
      ?? Array(self).withUnsafeBufferPointer { bytes in
        var text = text
        return text.withUTF8 { bytes.contains(run: $0) }
      }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func contains(run text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return true }
    guard count >= text.count else { return false }
    for start in 0...(count - text.count) where self[start] == first {
      var length = 1
      while length < text.count, self[start + length] == text[length] { length += 1 }
      if length == text.count { return true }
    }
    return false
  }
}
