import AtRestFormats
import Foundation

/// Reads `Podfile.lock`, the YAML that CocoaPods writes, with one line per pod in a fixed form.
struct PodfileLockReader {
  let path: String
  let data: Data

  private struct Pod {
    let version: String
    let location: Location
  }

  func read() -> LockFile {
    var skipped: [Skip] = []
    var pods: [(String, Pod)] = []
    var known: Set<String> = []
    var sources: [String: String] = [:]
    var section = ""
    var external: String?
    var number = 0
    let text = String(decoding: TextBytes.utf8(of: data), as: UTF8.self)
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let content = line.trimmed
      if content.isEmpty { continue }
      let indent = line.prefix { $0 == " " }.count
      if indent == 0 {
        section = content.hasSuffix(":") ? String(content.dropLast()) : ""
        continue
      }
      switch section {
      case "PODS" where indent == 2:
        guard let (name, version) = Self.pod(content) else {
          if skipped.count < 8 {
            skipped.append(Skip(path: path, line: number, reason: "The line does not pin a pod."))
          }
          continue
        }
        // The parts of a pod, such as `Name/Part`, have the version of the pod.
        if known.insert(name).inserted {
          let start = Position(line: number, column: indent + 1)
          let end = Position(line: number, column: line.utf8.count + 1)
          pods.append(
            (name, Pod(version: version, location: Location(path: path, start: start, end: end))))
        }
      case "EXTERNAL SOURCES", "CHECKOUT OPTIONS":
        if indent == 2 {
          external = content.hasSuffix(":") ? Self.unquoted(content.dropLast()) : nil
        } else if let name = external, content.hasPrefix(":git:") {
          sources[name] = Self.unquoted(content.dropFirst(5).trimmed)
        }
      default: break
      }
    }
    if pods.isEmpty, skipped.isEmpty {
      skipped.append(Skip(path: path, line: 1, reason: "The file does not pin any pods."))
    }
    let dependencies = pods.map { name, pod in
      Dependency(
        name: name, version: pod.version, source: sources[name], ecosystem: .cocoaPods,
        location: pod.location)
    }
    return LockFile(path: path, dependencies: dependencies, skipped: skipped)
  }

  /// Parses `- "Name/Part (1.2.3)":`, with or without quotes and colon. Returns nil for any other
  /// line.
  private static func pod(_ line: Substring) -> (name: String, version: String)? {
    guard line.hasPrefix("- ") else { return nil }
    var text = line.dropFirst(2).trimmed
    if let comment = text.range(of: " #") { text = text[..<comment.lowerBound].trimmed }
    if text.hasSuffix(":") { text = text.dropLast() }
    let entry = unquoted(text)
    guard let open = entry.firstIndex(of: "("), entry.hasSuffix(")") else { return nil }
    let name = entry[..<open].trimmed
    let version = entry[entry.index(after: open)...].dropLast()
    guard let base = name.split(separator: "/").first, !version.isEmpty else { return nil }
    // `(from `path`)` and `(= 1.0)` belong to other sections.
    guard version.first?.isNumber == true else { return nil }
    return (String(base), String(version))
  }

  private static func unquoted(_ text: Substring) -> String {
    text.count >= 2 && text.first == "\"" && text.last == "\""
      ? String(text.dropFirst().dropLast()) : String(text)
  }
}
