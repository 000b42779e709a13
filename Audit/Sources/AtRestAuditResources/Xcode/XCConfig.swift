import AtRestAuditModel
import AtRestFormats
import Foundation

/// An `.xcconfig` file, which contains build settings as lines of text.
package struct XCConfig: Sendable {
  package let path: String
  package let settings: [Setting]
  /// The included files as written, in order.
  package let includes: [Include]
  package let skipped: [Skip]

  package init(path: String, settings: [Setting], includes: [Include] = [], skipped: [Skip] = []) {
    self.path = path
    self.settings = settings
    self.includes = includes
    self.skipped = skipped
  }

  package struct Setting: Sendable {
    /// The name without its conditions, such as `[sdk=iphoneos*]`.
    package let name: String
    package let condition: String?
    package let value: String
    package let position: Position
    /// The range of the value.
    package let location: Location
  }

  package struct Include: Sendable {
    package let path: String
    /// True if the file may be missing: `#include?`.
    package let isOptional: Bool
    package let line: Int
  }

  /// Reads settings and includes. `//` begins a comment.
  package static func read(_ data: Data, path: String) -> XCConfig {
    var settings: [Setting] = []
    var includes: [Include] = []
    var skipped: [Skip] = []
    let text = String(decoding: TextBytes.utf8(of: data), as: UTF8.self)
    var number = 0
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let text = Substring(line)
      let column = (text.utf8.firstIndex { $0 > 0x20 }).map {
        text.utf8.distance(from: text.utf8.startIndex, to: $0) + 1
      }
      let code = withoutComment(text).trimmed
      guard let column, !code.isEmpty else { continue }
      if code.hasPrefix("#include") {
        let parts = code.split(separator: "\"", omittingEmptySubsequences: false)
        if parts.count >= 3 {
          includes.append(
            Include(
              path: String(parts[1]), isOptional: parts[0].contains("?"), line: number))
          continue
        }
      } else if let sign = sign(of: code) {
        let head = code[..<sign].trimmed
        let name = head.prefix { $0 != "[" }.trimmed
        let condition = head.dropFirst(name.count)
        let value = code[code.index(after: sign)...].trimmed
        let start = text.utf8.distance(from: text.startIndex, to: value.startIndex) + 1
        settings.append(
          Setting(
            name: String(name), condition: condition.isEmpty ? nil : String(condition),
            value: String(value), position: Position(line: number, column: column),
            location: Location(
              path: path, start: Position(line: number, column: start),
              end: Position(line: number, column: start + value.utf8.count))))
        continue
      }
      if skipped.count < 8 {
        skipped.append(Skip(path: path, line: number, reason: "The line is not a build setting."))
      }
    }
    return XCConfig(path: path, settings: settings, includes: includes, skipped: skipped)
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
  }

  /// Returns the position of the first equals sign outside the brackets of conditions, or nil.
  private static func sign(of line: Substring) -> Substring.Index? {
    var depth = 0
    for index in line.utf8.indices {
      switch line.utf8[index] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "=") where depth <= 0: return index
      default: break
      }
    }
    return nil
  }

  /// Returns the values of all settings, including those of included files. Conditional settings
  /// are ignored, and the last setting of a name applies.
  package func resolved(among files: [String: XCConfig]) -> [String: String] {
    var values: [String: String] = [:]
    var seen: Set<String> = []
    collect(into: &values, among: files, seen: &seen)
    return values
  }

  private func collect(
    into values: inout [String: String], among files: [String: XCConfig], seen: inout Set<String>
  ) {
    guard seen.count < 100, seen.insert(path).inserted else { return }
    for include in includes {
      let place = ResourcePath.join(ResourcePath.folder(of: path), include.path)
      files[place]?.collect(into: &values, among: files, seen: &seen)
    }
    for setting in settings where setting.condition == nil { values[setting.name] = setting.value }
  }
}

extension StringProtocol {
  /// The string without surrounding whitespace.
  package var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
