import AtRestAuditModel

/// The logs of Objective-C that write nothing in a build for customers.
///
/// A header may define a log as a macro that does nothing, and CocoaLumberjack has a level that the
/// project sets.
package struct LogSwitches: Sendable {
  /// The macros that do nothing in a build for customers, in all files.
  private var everywhere: Set<String> = []
  /// The same, by the path of the only file to which they apply.
  private var inFile: [String: Set<String>] = [:]
  /// The levels of CocoaLumberjack by the path of the file that they apply to, and for all other files.
  private var levels: [String: Int] = [:]
  private var commonLevel: Int?

  init(_ files: [SourceFile], globals: [String: [(variable: Variable, file: SourceFile)]]) {
    let flags = Set(
      files.flatMap(\.emptyMacros).filter { !ScopeBuilder.isDebug($0.condition) }.map(\.name))
    func isSet(_ flag: String) -> Bool {
      flags.contains(flag)
        || globals[flag]?.contains { variable, _ in
          guard !ScopeBuilder.isDebug(variable.condition) else { return false }
          if case .number("0")? = variable.value?.bare.kind { return false }
          return true
        } == true
    }
    for file in files where file.language == .objectiveC {
      let isHeader = Self.isHeader(file.path)
      for macro in file.emptyMacros where Self.isForCustomers(macro.condition, isSet) {
        if isHeader {
          everywhere.insert(macro.name)
        } else {
          inFile[file.path, default: []].insert(macro.name)
        }
      }
    }
    for (variable, file) in globals["ddLogLevel"] ?? []
    where !ScopeBuilder.isDebug(variable.condition) {
      guard let level = variable.value?.lastName.flatMap(Self.level) else { continue }
      if Self.isHeader(file.path) {
        commonLevel = max(commonLevel ?? 0, level)
      } else {
        levels[file.path] = max(levels[file.path] ?? 0, level)
      }
    }
  }

  /// Returns true if a call of a log writes nothing in a build for customers.
  package func silence(_ name: String, in file: SourceFile) -> Bool {
    guard file.language == .objectiveC else { return false }
    if everywhere.contains(name) || inFile[file.path]?.contains(name) == true { return true }
    guard name.hasPrefix("DDLog"), let level = Self.level(name),
      let most = levels[file.path] ?? commonLevel
    else { return false }
    return level > most
  }

  private static func isHeader(_ path: String) -> Bool {
    path.hasSuffix(".h") || path.hasSuffix(".pch")
  }

  /// Returns true if code under a condition is compiled for customers: flags that no code sets are not set.
  private static func isForCustomers(
    _ condition: String?, _ isSet: (String) -> Bool
  ) -> Bool {
    guard let condition else { return true }
    if condition.contains("||") || ScopeBuilder.isDebug(condition) { return false }
    return condition.split(separator: "&&").allSatisfy { part in
      let flag = part.filter { $0.isLetter || $0.isNumber || $0 == "_" }
      let rest = part.filter { !"() ".contains($0) }
      if rest == "!" + flag { return !isSet(String(flag)) }
      return rest == flag && releases.contains(String(flag))
    }
  }

  /// Flags that are set in builds for customers only.
  private static let releases: Set<String> = [
    "RELEASE", "NDEBUG", "__OPTIMIZE__", "NS_BLOCK_ASSERTIONS", "PRODUCTION", "DISTRIBUTION",
  ]

  /// Returns the rank of a level or of a call: `DDLogLevelWarning`, `LOG_LEVEL_WARN`, `DDLogWarn`.
  private static func level(_ name: String) -> Int? {
    switch Words.split(name).last {
    case "off": 0
    case "error": 1
    case "warning", "warn": 2
    case "info": 3
    case "debug": 4
    case "verbose", "all": 5
    default: nil
    }
  }
}
