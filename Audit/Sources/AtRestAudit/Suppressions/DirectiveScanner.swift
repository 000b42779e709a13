import AtRestAuditModel
import Foundation

/// Finds comments that address the auditor in files that are not code: `<!-- atrest:… -->`,
/// `# atrest:…` and `// atrest:…`.
enum DirectiveScanner {
  private static let mark = Array("atrest:".utf8)

  /// Returns the directives of a file. A format without comments has no directives.
  static func directives(in text: UnsafeBufferPointer<UInt8>, kind: FileKind) -> [Directive] {
    let openings: [[UInt8]]
    switch kind {
    case .interface, .propertyList, .dataModel, .page: openings = [Array("<!--".utf8)]
    case .buildSettings, .strings, .xcodeProject:
      openings = [Array("//".utf8), Array("/*".utf8)]
    case .lockFile: openings = [Array("#".utf8)]
    case .swift, .objectiveC, .keyFile, .json: return []
    }
    var directives: [Directive] = []
    var line = 1
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: 0x0A) ?? text.count
      if let found = directive(in: text[start..<end], openings, line) { directives.append(found) }
      start = end + 1
      line += 1
    }
    return directives
  }

  private static func directive(
    in line: Slice<UnsafeBufferPointer<UInt8>>, _ openings: [[UInt8]], _ number: Int
  ) -> Directive? {
    guard let at = first(mark, in: line) else { return nil }
    let before = line[line.startIndex..<at].reversed().drop { $0 == 0x20 || $0 == 0x09 }
    guard let opening = openings.first(where: { before.starts(with: $0.reversed()) }) else {
      return nil
    }
    let followsCode = before.dropFirst(opening.count).contains { $0 != 0x20 && $0 != 0x09 }
    var text = String(decoding: line[(at + mark.count)...], as: UTF8.self)
    for end in ["-->", "*/"] {
      if let range = text.range(of: end) { text.removeSubrange(range.lowerBound...) }
    }
    return Directive(
      text: text.trimmingCharacters(in: .whitespacesAndNewlines), line: number,
      followsCode: followsCode)
  }

  private static func first(
    _ needle: [UInt8], in line: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int? {
    guard line.count >= needle.count else { return nil }
    return (line.startIndex...(line.endIndex - needle.count)).first { start in
      line[start] == needle[0] && line[start..<(start + needle.count)].elementsEqual(needle)
    }
  }
}
