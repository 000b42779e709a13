import AtRestAuditModel

extension ScopeBuilder {
  /// Returns true if code under this condition never ships.
  package static func isDebug(_ condition: String?) -> Bool {
    guard let condition, condition != "0" else { return condition == "0" }
    if condition.contains("||") { return false }
    return condition.split(separator: "&&").contains { part in
      let part = part.trimmingPrefix { $0 == " " || $0 == "(" }
      return part.hasPrefix("DEBUG") || part.hasPrefix("targetEnvironment(simulator)")
        || part.hasPrefix("TARGET_OS_SIMULATOR") || part.hasPrefix("TARGET_IPHONE_SIMULATOR")
        || part.hasPrefix("defined(DEBUG)") || part.hasPrefix("arch(i386)")
        || part.hasPrefix("!RELEASE") || part.hasPrefix("!(RELEASE") || part.hasPrefix("!(!DEBUG")
        || tests.contains(String(part.prefix { $0.isLetter || $0 == "_" }))
    }
  }

  /// Conditions of builds for tests and previews.
  private static let tests: Set<String> = [
    "TEST", "TESTS", "TESTING", "UITEST", "UITESTS", "UITESTING", "UI_TESTING", "UNIT_TEST",
    "UNIT_TESTS", "UNITTEST", "MOCK", "PREVIEW",
  ]
}
