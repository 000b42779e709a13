/// Breaks a file in the ways that merges, editors and attackers do.
enum Mutation {
  private static let pieces = [
    "[", "]", "(", ")", "{", "}", "@", "\"", "'", ";", ":", ",", "<", ">", "^", "*", "\\",
    "#if 0\n",
    "\n#else\n", "\n#endif\n", "/*", "*/", "//", "@end", "@interface ", "- (", "else", "case ",
    "::",
    "?", "->", "\0", "\u{FEFF}",
  ].map { Array($0.utf8) }

  /// Returns the bytes after one to eight changes, each of which replaces a byte, removes, repeats
  /// or moves a part, or inserts a token.
  static func of(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      guard !bytes.isEmpty else { return bytes }
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(start..<end)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: end)
      case 3:
        let part = bytes[start..<end]
        bytes.removeSubrange(start..<end)
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
      default:
        bytes.insert(
          contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: start)
      }
    }
    return bytes
  }
}
