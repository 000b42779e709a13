import AtRestAuditModel
import AtRestContainers
import AtRestFormats
@_spi(Tools) import AtRestSecrets
import Foundation

/// The secrets that rules found in the audited files and in containers, so that no report repeats
/// them.
///
/// Reports show the first two characters of a secret and its length, which is enough to identify
/// it. Every text that a report shows is also searched for tokens and keys whose form shows what
/// they are, whether or not a rule found them.
final class Secrets {
  struct Mask {
    /// The range in bytes of the line.
    let range: Range<Int>
    let text: String
  }

  /// The ranges of secrets by path and line.
  private var places: [String: [Int: [Range<Int>]]] = [:]
  /// The lines in the middle of secrets, which are masked as a whole.
  private var blocks: [String: [ClosedRange<Int>]] = [:]
  /// The secrets in each file, by path. They are masked in texts about the file and, unless they
  /// are short words, in all texts.
  private var known: [String: Set<[UInt8]>] = [:]
  private var indices: [String: ReportedSecrets] = [:]
  private var everywhere = ReportedSecrets([])
  private let detector = SecretDetector()
  private let reveal: Bool

  /// The maximum number of lines of a secret that are compared with its value. Longer ones are
  /// masked as whole lines.
  private static let lineLimit = 200
  /// The length from which a secret that is a word of letters is masked in texts about other files.
  /// A shorter word can occur there for other reasons.
  private static let longWord = 16

  /// - Parameter reveal: True if nothing is masked.
  init(reveal: Bool) { self.reveal = reveal }

  /// - Parameter line: Returns a line of a file.
  func find(in report: AuditReport, line: (String, Int) -> [UInt8]?) {
    guard !reveal else { return }
    let findings = report.findings + report.suppressed.map(\.finding) + report.known
    for finding in findings {
      guard let excerpt = finding.exhibit?.excerpt else { continue }
      for range in Self.inner(excerpt.secrets, excerpt.bytes.count) {
        remember(Array(excerpt.bytes[range]), finding.location.path)
      }
    }
    for secret in Set(report.secrets + findings.flatMap(\.secrets)) {
      place(secret, line)
      for form in SecretSpelling.forms(of: secret.value) {
        remember(form, secret.location.path)
      }
      for part in secret.value.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        let part = Self.trimmed(part)
        if part.count >= 8, !part.starts(with: Array("-----".utf8)) {
          remember(Array(part), secret.location.path)
        }
      }
    }
    indices = known.mapValues { ReportedSecrets($0) }
    everywhere = ReportedSecrets(
      known.values.joined().filter { secret in
        secret.count >= Self.longWord || !secret.allSatisfy(Self.isLetter)
      })
  }

  /// Records the private keys in a file, which extend over lines.
  func findKeys(in data: Data, of path: String) {
    guard !reveal, data.range(of: Data("PRIVATE KEY".utf8)) != nil else { return }
    let bytes = [UInt8](data)
    let lines = LineTable(bytes)
    for detection in detector.detections(in: bytes) where detection.kind == .privateKey {
      let first = bytes[detection.range].firstIndex(of: 0x0A)
      let start = lines.position(of: Int32(first ?? detection.range.lowerBound))
      let end = lines.position(of: Int32(detection.range.upperBound))
      cover(
        path, from: Position(line: start.line, column: first == nil ? start.column : .max), to: end)
    }
  }

  /// Returns the masks of a line, in order and without overlaps.
  func masks(_ path: String, _ line: Int, _ bytes: [UInt8]) -> [Mask] {
    guard !reveal else { return [] }
    var ranges = places[path]?[line] ?? []
    let isInside = blocks[path]?.contains { $0.contains(line) } == true
    if isInside { ranges.append(Self.withoutBlanks(0..<bytes.count, bytes)) }
    ranges += search(bytes, [path])
    return ranges.map { $0.clamped(to: 0..<bytes.count) }.merged.compactMap { range in
      let range = Self.withoutBlanks(range, bytes)
      // Lines of a long literal may hold nothing but its quotation marks.
      if bytes[range].allSatisfy({ Self.marks.contains($0) || $0 <= 0x20 }) { return nil }
      let secret = String(decoding: bytes[range], as: UTF8.self)
      return Mask(
        range: range, text: isInside ? "…(\(secret.unicodeScalars.count))" : Self.masked(secret))
    }
  }

  /// Returns the ranges of secrets in an excerpt: those that the excerpt records, and the secrets
  /// of other findings that occur in its bytes.
  func ranges(in excerpt: Exhibit.Excerpt, of path: String) -> [Range<Int>] {
    let bytes = Array(excerpt.bytes.prefix(Exhibit.Excerpt.limit))
    var ranges = Self.inner(excerpt.secrets, bytes.count)
    guard !reveal else { return ranges }
    ranges += everywhere.ranges(in: bytes, isCut: true)
    if let index = indices[path] { ranges += index.ranges(in: bytes, isCut: true) }
    if excerpt.isText { ranges += wellKnown(in: bytes) }
    return ranges.merged
  }

  func mask(_ text: String, paths: [String]) -> String {
    guard !reveal else { return text }
    let bytes = Array(text.utf8)
    let ranges = search(bytes, Set(paths)).merged
    guard !ranges.isEmpty else { return text }
    var masked: [UInt8] = []
    var start = 0
    for range in ranges {
      masked += bytes[start..<range.lowerBound]
      masked += Self.masked(String(decoding: bytes[range], as: UTF8.self)).utf8
      start = range.upperBound
    }
    return String(decoding: masked + bytes[start...], as: UTF8.self)
  }

  static func masked(_ secret: String) -> String {
    let count = secret.unicodeScalars.count
    let shown = count > 4 ? secret.unicodeScalars.prefix(2).map(Display.safe).joined() : ""
    return "\(shown)…(\(count))"
  }

  // MARK: Values

  /// Returns the ranges of all secrets in a text, with and without its escapes.
  private func search(_ bytes: [UInt8], _ paths: Set<String>) -> [Range<Int>] {
    func look(_ bytes: [UInt8]) -> [Range<Int>] {
      var ranges = everywhere.ranges(in: bytes) + wellKnown(in: bytes)
      for path in paths {
        guard let index = indices[path] else { continue }
        ranges += index.ranges(in: bytes).filter { range in
          !bytes[range].allSatisfy(Self.isLetter) || range.count >= Self.longWord
            || Self.isWord(range, bytes)
        }
      }
      return ranges
    }
    return SecretSpelling.unescaped(bytes).reduce(look(bytes)) { ranges, text in
      ranges + look(text.bytes).map(text.place)
    }
  }

  /// Returns the ranges of tokens and keys whose form proves what they are.
  private func wellKnown(in bytes: [UInt8]) -> [Range<Int>] {
    detector.detections(in: bytes).compactMap { detection in
      switch detection.kind {
      case .secret, .token, .apiKey, .webToken, .privateKey:
        detection.confidence == .certain ? detection.range : nil
      default: nil
      }
    }
  }

  private func remember(_ secret: [UInt8], _ path: String) {
    guard secret.count >= ReportedSecrets.shortest else { return }
    known[path, default: []].insert(secret)
  }

  // MARK: Places

  /// Records the ranges of the lines that write a secret.
  private func place(_ secret: Finding.Secret, _ line: (String, Int) -> [UInt8]?) {
    let location = secret.location
    let (path, start, end) = (location.path, location.start, location.end)
    let isCode = FileKind(path: path)?.isCode == true
    guard end.line - start.line < Self.lineLimit else {
      cover(path, from: Position(line: start.line, column: isCode ? start.column : 1), to: end)
      return
    }
    let lines = (start.line...max(end.line, start.line)).map { line(path, $0) }
    var texts: [[UInt8]] = []
    for (index, bytes) in lines.enumerated() {
      guard let bytes else { continue }
      let from = index == 0 ? min(max(start.column - 1, 0), bytes.count) : 0
      let to = index == lines.count - 1 ? min(end.column - 1, bytes.count) : bytes.count
      texts.append(Array(bytes[from..<max(from, to)]))
    }
    let isAtPlace =
      secret.value.isEmpty || SecretSpelling.isWritten(secret.value, in: Array(texts.joined()))
    if lines.count > 1 {
      cover(
        path, from: isAtPlace || isCode ? start : Position(line: start.line, column: 1),
        to: isAtPlace ? end : Position(line: end.line, column: .max))
      return
    }
    guard let bytes = lines[0], let text = texts.first else { return }
    let from = min(max(start.column - 1, 0), bytes.count)
    let found = SecretSpelling.ranges(of: secret.value, in: text)
    if !found.isEmpty {
      for range in found {
        add((range.lowerBound + from)..<(range.upperBound + from), path, start.line)
      }
    } else if isAtPlace {
      add(Self.withoutMarks(from..<(from + text.count), bytes), path, start.line)
    } else {
      add(Self.withoutBlanks((isCode ? from : 0)..<bytes.count, bytes), path, start.line)
    }
  }

  /// Records the lines from one position to another.
  private func cover(_ path: String, from start: Position, to end: Position) {
    guard start.line < end.line else {
      add((start.column - 1)..<max(start.column, end.column) - 1, path, start.line)
      return
    }
    add((start.column - 1)..<Int.max, path, start.line)
    if end.line > start.line + 1 {
      blocks[path, default: []].append((start.line + 1)...(end.line - 1))
    }
    if end.column > 1 { add(0..<(end.column - 1), path, end.line) }
  }

  private func add(_ range: Range<Int>, _ path: String, _ line: Int) {
    guard !range.isEmpty else { return }
    places[path, default: [:]][line, default: []].append(range)
  }

  // MARK: Bytes

  private static func inner(_ ranges: [Range<Int>], _ count: Int) -> [Range<Int>] {
    ranges.map { $0.clamped(to: 0..<count) }.merged
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF)
  }

  /// Returns true if a range of letters is not part of a longer word.
  private static func isWord(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
    func isPart(_ index: Int) -> Bool {
      bytes.indices.contains(index)
        && (isLetter(bytes[index]) || (0x30...0x39).contains(bytes[index]) || bytes[index] == 0x5F)
    }
    return !isPart(range.lowerBound - 1) && !isPart(range.upperBound)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes
  }

  private static func withoutBlanks(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    let inner = trimmed(bytes[range]).indices
    return inner.isEmpty ? range : inner
  }

  private static let marks = Set("\"'@#".utf8)

  /// Returns the range without the quotation marks around it.
  private static func withoutMarks(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    var inner = bytes[range]
    while let first = inner.first, marks.contains(first) { inner.removeFirst() }
    while let last = inner.last, marks.contains(last) { inner.removeLast() }
    return inner.isEmpty ? range : inner.indices
  }
}
