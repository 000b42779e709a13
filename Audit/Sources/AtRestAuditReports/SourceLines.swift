import AtRestAuditModel
import AtRestFormats
import Foundation

/// Shows lines of the audited files. It caches the files that it reads, and is not safe for use
/// from several threads.
final class SourceLines {
  /// The report that is shown, with secrets masked in the texts that comments and files give.
  private(set) var report: AuditReport
  let secrets: Secrets
  let reveal: Bool
  private var cache: [String: Text?] = [:]
  private var cached = 0

  private static let cacheSize = 64 << 20
  /// The maximum number of lines that are shown after the first line of a finding.
  private static let frameLimit = 5
  /// The maximum length in bytes of a line that is shown. Nobody reads a longer line, and it can
  /// hold thousands of findings.
  private static let lengthLimit = 4096

  /// - Parameter reveal: True if secrets in code are shown unmasked.
  init(_ report: AuditReport, reveal: Bool) {
    self.report = report
    self.reveal = reveal
    secrets = Secrets(reveal: reveal)
    guard !reveal else { return }
    secrets.find(in: report) { [self] in line($0, $1) }
    maskTexts()
  }

  /// Masks secrets in the reasons that comments give, and in descriptions of what was not read.
  private func maskTexts() {
    report.suppressed = report.suppressed.map {
      .init(
        finding: $0.finding, reason: secrets.mask($0.reason, paths: [$0.finding.location.path]),
        line: $0.line)
    }
    report.unusedSuppressions = report.unusedSuppressions.map {
      .init(path: $0.path, line: $0.line, why: secrets.mask($0.why, paths: [$0.path]))
    }
    report.skipped = report.skipped.map {
      Skip(path: $0.path, line: $0.line, reason: secrets.mask($0.reason, paths: [$0.path]))
    }
  }

  /// The link to code on the web, or nil if the repository is not known.
  func link(to location: Location) -> String? { report.repository?.link(to: location) }

  /// The file's lines as bytes.
  private struct Text {
    let data: Data
    let starts: [Int]

    init(_ data: Data, isCode: Bool) {
      // Readers of text do not count a byte order mark.
      let data = data.starts(with: [0xEF, 0xBB, 0xBF]) && !isCode ? data.dropFirst(3) : data
      self.data = data
      var starts = [0]
      let bytes = Array(data)
      for (index, byte) in bytes.enumerated() where byte == 0x0A || isCode && byte == 0x0D {
        if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
        starts.append(index + 1)
      }
      self.starts = starts
    }

    func line(_ number: Int) -> Data? {
      guard number >= 1, number <= starts.count else { return nil }
      let end = number < starts.count ? starts[number] - 1 : data.count
      var line = data[(data.startIndex + starts[number - 1])..<(data.startIndex + end)]
      if line.last == 0x0D { line = line.dropLast() }
      return line
    }
  }

  private func text(_ path: String) -> Text? {
    if let text = cache[path] { return text }
    let text = (try? report.tree.read(path, limit: SourceTree.codeSizeLimit)).flatMap {
      data -> Text? in
      // Binary files have no lines.
      guard !data.prefix(4096).contains(0), !data.starts(with: Array("bplist".utf8)) else {
        return nil
      }
      secrets.findKeys(in: data, of: path)
      return Text(data, isCode: FileKind(path: path)?.isCode == true)
    }
    cached += text?.data.count ?? 0
    if cached > Self.cacheSize {
      cache.removeAll()
      cached = text?.data.count ?? 0
    }
    cache[path] = .some(text)
    return text
  }

  private func line(_ path: String, _ number: Int) -> [UInt8]? {
    guard let line = text(path)?.line(number), line.count <= Self.lengthLimit else { return nil }
    return Array(line)
  }

  /// Returns the message with its secrets masked.
  func masked(_ message: String, of finding: Finding) -> String {
    secrets.mask(message, paths: [finding.location.path] + finding.trail.map(\.location.path))
  }

  /// The column in UTF-16 code units, from 1.
  func utf16Column(_ path: String, _ position: Position) -> Int {
    guard let line = line(path, position.line) else { return max(position.column, 1) }
    let before = line.prefix(max(position.column - 1, 0))
    return String(decoding: before, as: UTF8.self).utf16.count + 1
  }

  /// The line of code, masked and without blanks at its ends, or nil if there is no such line.
  func code(at location: Location) -> String? {
    shown(location, location.start.line)?.text.trimmingCharacters(in: .whitespaces)
  }

  /// Returns the lines of a location, or nil if the file has no such lines.
  ///
  /// - Parameter context: The number of lines that are shown before and after the location.
  func frame(_ location: Location, context: Int = 1) -> CodeFrame? {
    let last = min(
      max(location.end.line, location.start.line), location.start.line + Self.frameLimit)
    let first = max(location.start.line - context, 1)
    guard last < Int.max - context, first <= last else { return nil }
    let lines = (first...(last + context)).compactMap { shown(location, $0) }
    guard lines.contains(where: { $0.number == location.start.line }) else { return nil }
    return CodeFrame(lines: lines)
  }

  private func shown(_ location: Location, _ number: Int) -> CodeFrame.Line? {
    guard let bytes = line(location.path, number) else { return nil }
    var from: Int?
    var to: Int?
    if number >= location.start.line, number <= location.end.line {
      let blank = bytes.prefix { $0 == 0x20 || $0 == 0x09 }.count
      from = number == location.start.line ? max(location.start.column - 1, 0) : blank
      to = number == location.end.line ? max(location.end.column - 1, 0) : bytes.count
    }
    var shown = ""
    var mark: (from: Int?, to: Int?) = (nil, nil)
    // The line is decoded in pieces, so that invalid characters do not move the masks.
    func show(_ range: Range<Int>, _ mask: String?) {
      if let from, mark.from == nil, from < range.upperBound {
        mark.from = shown.unicodeScalars.count
      }
      if let mask {
        shown += mask
      } else {
        for scalar in String(decoding: bytes[range], as: UTF8.self).unicodeScalars {
          shown += Display.safe(scalar)
        }
      }
      if let to, mark.to == nil, to <= range.upperBound { mark.to = shown.unicodeScalars.count }
    }
    var start = 0
    let cuts = [from, to].compactMap(\.self).filter { $0 < bytes.count }.sorted()
    for mask in secrets.masks(location.path, number, bytes) + [nil] {
      let end = mask?.range.lowerBound ?? bytes.count
      for cut in cuts where start < cut && cut < end {
        show(start..<cut, nil)
        start = cut
      }
      if start < end { show(start..<end, nil) }
      if let mask {
        show(mask.range, mask.text)
        start = mask.range.upperBound
      }
    }
    var range: Range<Int>?
    if from != nil {
      let count = shown.unicodeScalars.count
      let start = mark.from ?? count
      range = start..<max(mark.to ?? count, min(start + 1, count + 1))
    }
    return window(number, shown, range)
  }

  private func window(_ number: Int, _ text: String, _ mark: Range<Int>?) -> CodeFrame.Line {
    let scalars = text.unicodeScalars
    guard scalars.count > CodeFrame.width else {
      return CodeFrame.Line(number: number, text: text, mark: mark)
    }
    let start = min(max((mark?.lowerBound ?? 0) - 40, 0), scalars.count)
    var shown = String(String.UnicodeScalarView(scalars.dropFirst(start).prefix(CodeFrame.width)))
    if start + CodeFrame.width < scalars.count { shown += "…" }
    if start > 0 { shown = "…" + shown }
    let moved = mark.map { mark in
      let shift = start > 0 ? start - 1 : 0
      let lower = min(mark.lowerBound - shift, CodeFrame.width)
      return lower..<max(min(mark.upperBound - shift, CodeFrame.width + 1), lower)
    }
    return CodeFrame.Line(number: number, text: shown, mark: moved)
  }
}
