import AtRestAuditModel

/// Decides by path which files of a project are left out. ``TestCode`` and ``GeneratedCode`` decide
/// by content.
struct FileSelection: Sendable {
  let settings: Settings

  /// The reason to leave out a path, or nil to read it. Paths that `include` names are always read.
  func reason(path: String, isFolder: Bool) -> AuditReport.LeftOut.Reason? {
    if settings.include.contains(where: { $0.matches(path) }) { return nil }
    if settings.exclude.contains(where: { $0.matches(path) }) { return .excluded }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if isFolder {
      if !settings.includesVendored, Self.isVendored(folder: name) { return .vendored }
      if !settings.includesTests, Self.mayBeTests(folder: name) { return .tests }
    } else {
      if !settings.includesVendored, name.hasPrefix("FMDatabase") || name.hasPrefix("FMResultSet") {
        return .vendored
      }
      if !settings.includesGenerated, Self.isGenerated(file: name) { return .generated }
      if !settings.includesTests, Self.isTest(path, name) { return .tests }
    }
    return nil
  }

  /// Returns true if `include` may name something in a folder that is left out.
  func mayInclude(below folder: String) -> Bool {
    settings.include.contains { $0.mayMatch(below: folder) }
  }

  func includes(_ path: String) -> Bool { settings.include.contains { $0.matches(path) } }

  private static let vendored: Set<String> = [
    "pods", "carthage", "thirdparty", "third_party", "third-party", "3rdparty", "3rd_party",
    "vendor", "vendors", "vendored", "external", "externals", "deriveddata", "node_modules",
    "checkouts", "sourcepackages", "bower_components", "submodules", "rome", ".bundle", "fastlane",
    "fmdb",
    "afnetworking", "mknetworkkit", "asihttprequest", "sdwebimage", "sbjson", "jsonkit",
  ]

  /// Returns true for folders of third-party code and of build products.
  private static func isVendored(folder: String) -> Bool {
    let lower = folder.lowercased()
    return vendored.contains(lower)
      || [".framework", ".xcframework", ".docset"].contains { lower.hasSuffix($0) }
      || (lower.hasPrefix(".build") || lower.hasPrefix(".swiftpm"))
  }

  /// Returns true for the usual names of folders of tests. The app can have such a folder, too, so
  /// its content decides.
  static func mayBeTests(folder: String) -> Bool {
    let words = Words.split(folder)
    return words.last.map { ["tests", "test", "specs", "spec"].contains($0) } == true
      || ["test support", "test utilities"].contains(words.suffix(2).joined(separator: " "))
  }

  /// Returns true for code that stands in for parts of the app in tests, according to its name or
  /// its folder. Other tests are recognised by their content.
  private static func isTest(_ path: String, _ name: String) -> Bool {
    guard FileKind(path: name)?.isCode == true else { return name.hasSuffix(".xctestplan") }
    let words = Words.split(String(name.prefix { $0 != "." && $0 != "+" }))
    if words.count > 1, isStandIn(words[0]) || words.last.map(isStandIn) == true { return true }
    return path.split(separator: "/").dropLast().contains {
      Words.split(String($0)).contains(where: isStandIn)
    }
  }

  private static func isStandIn(_ word: String) -> Bool {
    ["mock", "mocks", "stub", "stubs", "fixture", "fixtures"].contains(word)
  }

  private static func isGenerated(file: String) -> Bool {
    let endings = [
      ".generated.swift", ".pb.swift", ".grpc.swift", ".pbobjc.h", ".pbobjc.m", ".graphql.swift",
      "R.generated.swift", "+CoreDataProperties.swift",
    ]
    if endings.contains(where: file.hasSuffix) { return file != "+CoreDataProperties.swift" }
    // Mogenerator puts each generated file beside the one to edit: `_Person.h` beside `Person.h`.
    guard file.hasPrefix("_"), [".h", ".m", ".swift"].contains(where: file.hasSuffix) else {
      return false
    }
    return file.dropFirst().first?.isUppercase == true
  }
}
