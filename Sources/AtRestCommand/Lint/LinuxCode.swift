/// The parts of a file that are compiled on Linux.
struct LinuxCode {
  private struct Branches {
    let isOuterCompiled: Bool
    /// True if an earlier branch is always compiled.
    var isDecided = false
    var isCompiled = false
  }

  /// Returns the tokens outside of `#if` branches for other platforms. A branch whose condition may
  /// be true or false counts as compiled.
  static func tokens(_ tokens: [SwiftToken]) -> [SwiftToken] {
    var stack: [Branches] = []
    var result: [SwiftToken] = []
    for token in tokens {
      guard case .directive(let words) = token.kind else {
        if stack.last?.isCompiled ?? true { result.append(token) }
        continue
      }
      if token.text == "if" {
        stack.append(Branches(isOuterCompiled: stack.last?.isCompiled ?? true))
      }
      guard var branches = stack.popLast() else { continue }
      if token.text == "endif" { continue }
      let condition: Bool? = token.text == "else" ? true : LinuxCondition.value(words)
      branches.isCompiled = branches.isOuterCompiled && !branches.isDecided && condition != false
      if condition == true { branches.isDecided = true }
      stack.append(branches)
    }
    return result
  }
}

/// The condition of an `#if`, evaluated for Linux.
struct LinuxCondition {
  private var words: ArraySlice<String>

  /// Returns true, false, or nil if the value depends on how the code is built.
  static func value(_ words: [String]) -> Bool? {
    // Nobody writes a condition of a thousand words.
    var condition = LinuxCondition(words: words.prefix(1000))
    return condition.any()
  }

  private mutating func take(_ text: String, times: Int = 1) -> Bool {
    guard words.prefix(times).elementsEqual(Array(repeating: text, count: times)) else {
      return false
    }
    words = words.dropFirst(times)
    return true
  }

  private mutating func any() -> Bool? {
    var result = all()
    while take("|", times: 2) {
      let other = all()
      result = result == true || other == true ? true : result == nil || other == nil ? nil : false
    }
    return result
  }

  private mutating func all() -> Bool? {
    var result = one()
    while take("&", times: 2) {
      let other = one()
      result =
        result == false || other == false ? false : result == nil || other == nil ? nil : true
    }
    return result
  }

  private mutating func one() -> Bool? {
    if take("!") { return one().map { !$0 } }
    if take("(") {
      let result = any()
      _ = take(")")
      return result
    }
    guard let name = words.popFirst() else { return nil }
    guard take("(") else { return name == "true" ? true : name == "false" ? false : nil }
    let argument = words.first ?? ""
    // A version may follow, with or without parentheses of its own.
    var depth = 1
    while depth > 0, let word = words.popFirst() {
      depth += word == "(" ? 1 : word == ")" ? -1 : 0
    }
    switch name {
    case "os": return argument == "Linux"
    case "targetEnvironment": return false
    case "canImport": return Self.ofApple.contains(argument) ? false : nil
    default: return nil
    }
  }

  /// Modules that exist only on Apple's platforms.
  private static let ofApple: Set<String> = [
    "AppKit", "CloudKit", "Cocoa", "Combine", "CommonCrypto", "CoreData", "CryptoKit", "Darwin",
    "ObjectiveC", "os", "SwiftData", "SwiftUI", "UIKit", "WatchKit",
  ]
}
