import AtRestAuditModel
import AtRestFormats

/// The secrets that rules found in literals of code and in values of containers, so that no report
/// repeats them.
///
/// Reports show the first two characters of a secret and its length, which is enough to identify
/// it.
final class Secrets {
  struct Mask {
    /// The range in bytes of the line.
    let range: Range<Int>
    let text: String
  }

  private var masks: [String: [Int: [Mask]]] = [:]
  /// The secrets in each file, by path. They are masked in texts about the file and, unless they
  /// are short words, in all texts.
  private var known: [String: Set<[UInt8]>] = [:]
  private var indices: [String: SecretIndex] = [:]
  private var everywhere = SecretIndex([])

  private static let lineLimit = 200
  /// The length from which a secret that is a word of letters is masked in texts about other files.
  /// A shorter word can occur there for other reasons.
  private static let longWord = 16

  /// - Parameter line: Returns a line of a file.
  func find(in report: AuditReport, line: (String, Int) -> [UInt8]?) {
    for finding in report.findings + report.suppressed.map(\.finding) + report.known {
      if let excerpt = finding.exhibit?.excerpt {
        for range in Self.inner(excerpt.secrets, excerpt.bytes.count) {
          remember(Array(excerpt.bytes[range]), finding.location.path)
        }
      }
      for location in finding.secrets { find(at: location, line) }
    }
    indices = known.mapValues { SecretIndex($0) }
    everywhere = SecretIndex(
      known.values.joined().filter { secret in
        secret.count >= Self.longWord || !secret.allSatisfy(Self.isLetter)
      })
  }

  func ranges(_ path: String, _ line: Int) -> [Mask] { masks[path]?[line] ?? [] }

  /// Returns the ranges of secrets in an excerpt: those that the excerpt records, and the secrets
  /// of other findings that occur in its bytes.
  func ranges(in excerpt: Exhibit.Excerpt, of path: String) -> [Range<Int>] {
    let bytes = Array(excerpt.bytes.prefix(Exhibit.Excerpt.limit))
    var ranges = Self.inner(excerpt.secrets, bytes.count)
    ranges += everywhere.ranges(in: bytes, isCut: true)
    if let index = indices[path] { ranges += index.ranges(in: bytes, isCut: true) }
    return ranges.merged
  }

  func mask(_ text: String, paths: [String]) -> String {
    let bytes = Array(text.utf8)
    var ranges = everywhere.ranges(in: bytes)
    for path in Set(paths) {
      if let index = indices[path] { ranges += index.ranges(in: bytes) }
    }
    guard !ranges.isEmpty else { return text }
    var masked: [UInt8] = []
    var start = 0
    for range in ranges.merged {
      masked += bytes[start..<range.lowerBound]
      masked += Self.masked(String(decoding: bytes[range], as: UTF8.self)).utf8
      start = range.upperBound
    }
    return String(decoding: masked + bytes[start...], as: UTF8.self)
  }

  private static func inner(_ ranges: [Range<Int>], _ count: Int) -> [Range<Int>] {
    ranges.map { $0.clamped(to: 0..<count) }.merged
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF)
  }

  private func remember(_ secret: [UInt8], _ path: String) {
    guard secret.count >= SecretIndex.shortest else { return }
    known[path, default: []].insert(secret)
  }

  static func masked(_ secret: String) -> String {
    let count = secret.unicodeScalars.count
    let shown = count > 4 ? secret.unicodeScalars.prefix(2).map(Display.safe).joined() : ""
    return "\(shown)…(\(count))"
  }

  private func find(at location: Location, _ line: (String, Int) -> [UInt8]?) {
    let last = min(location.end.line, location.start.line + Self.lineLimit)
    guard location.start.line <= last else { return }
    var isLong = false
    for number in location.start.line...last {
      guard let bytes = line(location.path, number) else { return }
      let from = number == location.start.line ? max(location.start.column - 1, 0) : 0
      let to = number == location.end.line ? location.end.column - 1 : bytes.count
      let range = min(from, bytes.count)..<max(min(to, bytes.count), min(from, bytes.count))
      if isLong {
        add(0..<bytes.count, bytes, location.path, number)
        continue
      }
      if let quotes = bytes[range].firstIndex(of: [0x22, 0x22, 0x22]) {
        // A literal of several lines is masked as a whole.
        isLong = true
        add((quotes + 3)..<bytes.count, bytes, location.path, number)
        continue
      }
      let all = Self.literals(bytes).filter { !$0.isEmpty }
      // An empty range points at the character that begins there, which may be the quotation mark.
      let wide = range.isEmpty ? range.lowerBound..<(range.lowerBound + 2) : range
      var literals = all.filter { $0.overlaps(wide) }
      if literals.isEmpty {
        // A key may be written as numbers, or the range may be the name of the key. Files that are
        // not code have no quotation marks.
        let isCode = FileKind(path: location.path)?.isCode == true
        literals = isCode ? Self.numbers(bytes, range) ?? all : Self.texts(bytes, range)
      }
      for literal in literals { add(literal, bytes, location.path, number) }
    }
  }

  private func add(_ range: Range<Int>, _ bytes: [UInt8], _ path: String, _ line: Int) {
    let blanks = bytes[range].prefix { $0 == 0x20 || $0 == 0x09 }.count
    let range = (range.lowerBound + blanks)..<range.upperBound
    guard !range.isEmpty else { return }
    let secret = String(decoding: bytes[range], as: UTF8.self)
    var list = masks[path, default: [:]][line, default: []]
    guard !list.contains(where: { $0.range.overlaps(range) }) else { return }
    list.append(Mask(range: range, text: Self.masked(secret)))
    list.sort { $0.range.lowerBound < $1.range.lowerBound }
    masks[path, default: [:]][line] = list
    remember(Array(bytes[range]), path)
  }

  /// Returns the ranges between quotation marks.
  private static func literals(_ line: [UInt8]) -> [Range<Int>] {
    var literals: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "\\") where start != nil: index += 1
      case UInt8(ascii: "\""):
        if let begin = start {
          literals.append(begin..<index)
          start = nil
        } else {
          start = index + 1
        }
      default: break
      }
      index += 1
    }
    if let start { literals.append(start..<line.count) }
    return literals
  }

  /// Returns the range of a key that is written as numbers: from the first digit to the last digit
  /// or letter before a comment.
  private static func numbers(_ line: [UInt8], _ range: Range<Int>) -> [Range<Int>]? {
    let comment = line[range].firstIndex(of: [0x2F, 0x2F]) ?? range.upperBound
    let code = line[range.lowerBound..<comment]
    guard let first = code.firstIndex(where: { (0x30...0x39).contains($0) }),
      let last = code.lastIndex(where: { (0x30...0x39).contains($0) || isLetter($0) })
    else { return nil }
    return [first..<(last + 1)]
  }

  /// Returns the ranges between tags, or after an equals sign.
  private static func texts(_ line: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    var texts: [Range<Int>] = []
    var start = range.lowerBound
    if let equals = line[range].firstIndex(of: UInt8(ascii: "=")) { start = equals + 1 }
    while start < range.upperBound {
      let end = line[start..<range.upperBound].firstIndex(of: UInt8(ascii: "<")) ?? range.upperBound
      var text = line[start..<end]
      while text.first == 0x20 || text.first == 0x09 { text.removeFirst() }
      while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
      if !text.isEmpty { texts.append(text.startIndex..<text.endIndex) }
      let close = line[end..<range.upperBound].firstIndex(of: UInt8(ascii: ">"))
      start = close.map { $0 + 1 } ?? range.upperBound
    }
    return texts
  }
}

extension Collection where Element: Equatable {
  fileprivate func firstIndex(of needle: [Element]) -> Index? {
    indices.first { self[$0...].starts(with: needle) }
  }
}
