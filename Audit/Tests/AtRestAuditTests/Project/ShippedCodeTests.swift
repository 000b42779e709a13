import AtRestAudit
import Testing

/// Code that does not ship is left out, and the report says so.
@Suite struct ShippedCodeTests {
  private static let leak =
    "func f() { UserDefaults.standard.set(passwordField.text, forKey: \"x\") }"
  private static let project = """
    // !$*UTF8*$!
    {
      objects = {
        A = { isa = PBXProject; targets = (T,); mainGroup = G; };
        G = { isa = PBXGroup; children = (); sourceTree = "<group>"; };
        T = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (); };
      };
      rootObject = A;
    }
    """

  private func report(_ files: [String: String]) throws -> AuditReport {
    try Audit(tree: SourceTree(files: files)).run()
  }

  @Test func testsAreKnownByWhatTheyInherit() throws {
    let files = [
      "UITests/Base.swift": "import Support\nclass BaseTest: XCTestCase {}",
      "UITests/Login.swift":
        "class LoginChecks: BaseTest { let password = \"Wint3r!is-over\" }",
    ]
    let report = try report(files)
    #expect(report.findings.isEmpty)
    #expect(
      report.leftOut.filter { $0.reason == .tests }.map(\.path)
        == ["UITests/Base.swift", "UITests/Login.swift"])
    var other = files
    other["UITests/Base.swift"] = "import Support\nclass BaseTest: Service {}"
    #expect(try self.report(other).findings.count == 1)
  }

  @Test func programsOfAPackageBesideAnAppAreTools() throws {
    let manifest = """
      let package = Package(
        name: "Tools",
        targets: [
          .executableTarget(name: "upload", dependencies: []),
          .target(name: "Library"),
        ])
      """
    var files = [
      "Tools/Package.swift": manifest,
      "Tools/Sources/upload/main.swift": Self.leak,
      "Tools/Sources/Library/Library.swift": Self.leak,
      "App.xcodeproj/project.pbxproj": Self.project,
    ]
    let report = try report(files)
    #expect(
      report.leftOut.filter { $0.reason == .tools }.map(\.path)
        == ["Tools/Sources/upload/main.swift"])
    #expect(Set(report.findings.map(\.location.path)) == ["Tools/Sources/Library/Library.swift"])
    // Without an app, the program is the product.
    files["App.xcodeproj/project.pbxproj"] = nil
    #expect(
      Set(try self.report(files).findings.map(\.location.path))
        == ["Tools/Sources/Library/Library.swift", "Tools/Sources/upload/main.swift"])
  }

  @Test func linesEndWithACarriageReturnToo() throws {
    let code = "// A comment\r\rfunc f(password: String) {\r  print(password)\r}\r"
    let found = try #require(
      try report(["A.swift": code]).findings.first { $0.rule == "log-sensitive" })
    #expect(found.location.start.line == 4)
    let crlf = try report(["A.swift": code.replacing("\r", with: "\r\n")])
    #expect(crlf.findings.first { $0.rule == "log-sensitive" }?.location.start.line == 4)
  }
}
