import AtRestAuditModel

extension SwiftReader {
  /// Returns a file without the spaces in `@available (iOS 14, *)`, which Swift accepted before version 6,
  /// or nil if it has none. The spaces move before the sign, so that all else stays in its place.
  static func withoutSpacesInAttributes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var mended: [UInt8]?
    for word in ["@available", "#available", "#unavailable"] {
      let word = Array(word.utf8)
      var start = 0
      while start + word.count < bytes.count {
        guard bytes[start] == word[0],
          word.indices.allSatisfy({ bytes[start + $0] == word[$0] })
        else {
          start += 1
          continue
        }
        var end = start + word.count
        while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
        let spaces = end - start - word.count
        if spaces > 0, end < bytes.count, bytes[end] == UInt8(ascii: "(") {
          if mended == nil { mended = Array(bytes) }
          mended?.replaceSubrange(
            start..<end, with: [UInt8](repeating: UInt8(ascii: " "), count: spaces) + word)
        }
        start = end
      }
    }
    return mended
  }
}
