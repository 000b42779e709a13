import Foundation

/// Finds code that requests file protection from Foundation, where it has no effect.
struct ProtectionLint {
  /// Code that writes plaintext, in the form of the JSON.
  struct Finding: Encodable {
    let file: String
    let line: Int
    /// The column in bytes, as the compiler counts.
    let column: Int
    let name: String
    let message: String
    let remedy: String
  }

  static let module = "AtRestFoundation"
  static let remedy =
    "Import \(module) in place of Foundation, or use ProtectedFiles of AtRestFiles."

  private static let options: Set<String> = [
    "completeFileProtection", "completeFileProtectionUnlessOpen",
    "completeFileProtectionUntilFirstUserAuthentication",
    "completeFileProtectionWhenUserInactive",
  ]

  private let tokens: [SwiftToken]
  private let imports: Set<String>

  private init(_ bytes: [UInt8]) {
    tokens = LinuxCode.tokens(SwiftLexer.tokens(bytes))
    imports = Self.imports(tokens)
  }

  /// Returns the findings in a file, at most one per line.
  static func findings(_ data: Data, file: String) -> [Finding] {
    let bytes = [UInt8](data)
    let lint = ProtectionLint(bytes)
    guard !lint.imports.contains(module) else { return [] }
    let lines = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    var findings: [Finding] = []
    for token in lint.found() {
      let line = lines.partitioningIndex { $0 > token.offset }
      guard findings.last?.line != line else { continue }
      findings.append(
        Finding(
          file: file, line: line, column: token.offset - lines[line - 1] + 1, name: token.text,
          message: message(token.text), remedy: remedy))
    }
    return findings
  }

  private static func message(_ name: String) -> String {
    options.contains(name)
      ? "Outside Apple's platforms, Foundation ignores .\(name) and writes plaintext."
      : name == "protectionKey"
        ? "Outside Apple's platforms, Foundation ignores .\(name) and leaves plaintext."
        : "Outside Apple's platforms, \(name) has no effect in Foundation: files are plaintext."
  }

  private static func imports(_ tokens: [SwiftToken]) -> Set<String> {
    let kinds: Set<String> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor",
    ]
    var modules: Set<String> = []
    for (index, token) in tokens.enumerated() where token.text == "import" {
      // An import of one declaration; the other names stay Foundation's.
      let next = tokens.dropFirst(index + 1).first?.text ?? ""
      if !kinds.contains(next) { modules.insert(next) }
    }
    return modules
  }

  // MARK: Matching

  private func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? tokens[index].text : ""
  }

  private func found() -> [SwiftToken] {
    var calls: [Int] = []
    var found: [SwiftToken] = []
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "(": calls.append(index)
      case ")": _ = calls.popLast()
      case _ where isProtection(index):
        if !isOfProtectedFiles(calls) { found.append(token) }
      default: break
      }
    }
    return found
  }

  private func isProtection(_ index: Int) -> Bool {
    let name = text(index)
    if name == "FileProtectionType" {
      return text(index - 1) != "." || text(index - 2) == "Foundation"
    }
    guard text(index - 1) == "." else { return false }
    if Self.options.contains(name) { return isMember(index, of: "WritingOptions") }
    return name == "protectionKey" && isMember(index, of: "FileAttributeKey")
  }

  /// Returns true if a name after a point belongs to the type implied by the context, or to the
  /// given type.
  private func isMember(_ index: Int, of type: String) -> Bool {
    let before = text(index - 2)
    if before == type { return true }
    guard let last = before.utf8.last else { return true }
    let isValue =
      before == ")" || before == "]" || before == "?" || before == "!" || last == UInt8(ascii: "_")
      || Character(Unicode.Scalar(last)).isLetter || Character(Unicode.Scalar(last)).isNumber
    return !isValue || ["return", "in", "case", "try"].contains(before)
  }

  /// Returns true if the innermost writing call is one of `ProtectedFiles`, which uses Foundation's
  /// names.
  private func isOfProtectedFiles(_ calls: [Int]) -> Bool {
    guard imports.contains("AtRestFiles") else { return false }
    for open in calls.reversed() {
      switch text(open - 1) {
      case "write":
        // The first argument is the data or the path.
        return !(text(open + 2) == ":" && ["to", "toFile"].contains(text(open + 1)))
      case "createFile", "setAttributes":
        guard text(open - 2) == "." else { return false }
        let receiver = text(open - 3).lowercased()
        return !(receiver == "default" || receiver == "fm" || receiver.contains("manager"))
      default: continue
      }
    }
    return false
  }
}

extension Array where Element == Int {
  /// Returns the first index whose element, and all elements after it, satisfy a condition.
  fileprivate func partitioningIndex(_ condition: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
