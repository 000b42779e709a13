import AtRestAuditModel

/// Decides by path which files of a project are left out.
struct FileSelection: Sendable {
  let settings: Settings

  /// The reason to leave out a path, or nil to read it. Paths that `include` names are always read.
  func reason(path: String, isFolder: Bool) -> AuditReport.LeftOut.Reason? {
    if settings.include.contains(where: { $0.matches(path) }) { return nil }
    if settings.exclude.contains(where: { $0.matches(path) }) { return .excluded }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if isFolder {
      if !settings.includesVendored, Self.isVendored(folder: name) { return .vendored }
      if !settings.includesTests, Self.isTests(folder: name) { return .tests }
    } else {
      if !settings.includesGenerated, Self.isGenerated(file: name) { return .generated }
      if !settings.includesTests, Self.isTest(file: name) { return .tests }
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
    "checkouts", "sourcepackages", "bower_components", "submodules", "rome", ".bundle",
  ]

  /// Returns true for folders of third-party code and of build products.
  private static func isVendored(folder: String) -> Bool {
    let lower = folder.lowercased()
    return vendored.contains(lower)
      || [".framework", ".xcframework", ".docset"].contains { lower.hasSuffix($0) }
      || (lower.hasPrefix(".build") || lower.hasPrefix(".swiftpm"))
  }

  private static func isTests(folder: String) -> Bool {
    folder == "Test" || folder == "test" || folder == "tests" || folder == "Specs"
      || folder == "Spec" || folder.hasSuffix("Tests") || folder.hasSuffix("TestSupport")
      || folder.hasSuffix("TestUtilities")
  }

  private static func isTest(file: String) -> Bool {
    guard let dot = file.lastIndex(of: "."), FileKind(path: file)?.isCode == true else {
      return file.hasSuffix(".xctestplan")
    }
    let stem = file[..<dot]
    return ["Tests", "Test", "TestCase", "Spec", "Specs"].contains {
      stem.hasSuffix($0) && stem.utf8.count > $0.utf8.count
    }
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
