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

  /// What an app declares and never calls stores nothing, so the finding is a note. A library's functions
  /// are called by others.
  @Test func codeThatNothingCallsIsANote() throws {
    func severity(_ use: String, in project: String = Self.project) throws -> Severity? {
      let code = """
        final class Session {
          func keep(_ passwordField: UITextField) {
            UserDefaults.standard.set(passwordField.text, forKey: "x")
          }
          func start() { \(use) }
        }
        let session = Session()
        session.start()
        """
      let files = ["A.swift": code, "App.xcodeproj/project.pbxproj": project]
      return try report(files).findings.first { $0.rule == "userdefaults-sensitive" }?.severity
    }
    #expect(try severity("") == .note)
    #expect(try severity("keep(field)") == .high)
    #expect(try severity("", in: "{}") == .high)
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
      Set(try self.report(files).findings.flatMap { [$0.location] + $0.places }.map(\.path))
        == ["Tools/Sources/Library/Library.swift", "Tools/Sources/upload/main.swift"])
  }

  /// A library in C brings headers that only its own tests include.
  @Test func headersThatNothingIncludesAreLeftOut() throws {
    let key = "static const unsigned char private_key[8] = {1, 2, 3, 4, 5, 6, 7, 9};\n"
    var files = [
      "core/modules/tests_impl.h": "#include \"vectors.h\"\n" + key,
      "core/modules/vectors.h": key,
      "core/library.h": key,
      "App/Wallet.m": "#import \"../core/library.h\"\n",
      "App.xcodeproj/project.pbxproj": Self.project,
    ]
    let report = try report(files)
    #expect(report.findings.map(\.location.path) == ["core/library.h"])
    #expect(
      report.leftOut.filter { $0.reason == .unbuilt }.map(\.path)
        == ["core/modules/tests_impl.h", "core/modules/vectors.h"])
    // A header that the app includes, too, is part of it.
    files["App/Wallet.m"]? += "#import \"vectors.h\"\n"
    #expect(
      try Set(
        self.report(files).findings.flatMap { [$0.location] + $0.places }.map(\.path))
        == ["core/library.h", "core/modules/vectors.h"])
  }

  /// A file in no target, in a folder of an app of which a target compiles other files.
  @Test func filesThatNoTargetCompilesAreLeftOut() throws {
    let project = """
      // !$*UTF8*$!
      {
        objects = {
          A = { isa = PBXProject; targets = (T,); mainGroup = G; };
          G = { isa = PBXGroup; children = (N, L,); sourceTree = "<group>"; };
          N = { isa = PBXFileReference; path = "App/New/New.swift"; sourceTree = "<group>"; };
          L = { isa = PBXFileReference; path = "Gone/Lost.swift"; sourceTree = "<group>"; };
          BN = { isa = PBXBuildFile; fileRef = N; };
          BL = { isa = PBXBuildFile; fileRef = L; };
          S = { isa = PBXSourcesBuildPhase; files = (BN, BL,); };
          T = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (S,); };
        };
        rootObject = A;
      }
      """
    let empty = "void f(void);"
    var files = [
      "App.xcodeproj/project.pbxproj": project, "App/New/New.swift": Self.leak,
      "App/New/Copy.swift": Self.leak, "App/Old/Old.swift": Self.leak,
      "App/Old/Inner/Old.m": empty, "App/Old/Part.m": empty,
      "App/New/All.mm": "#import \"../Old/Part.m\"",
      // Something else builds these, or may build them.
      "Tools/Tool.swift": Self.leak, "App/Moved/Lost.swift": Self.leak,
      "App/Pod/Pod.podspec": "", "App/Pod/Classes/Pod.swift": Self.leak,
      "App/Kit/Package.swift": "let package = Package(name: \"Kit\")",
      "App/Kit/Sources/Kit/Kit.swift": Self.leak,
    ]
    #expect(
      try report(files).leftOut.filter { $0.reason == .unbuilt }.map(\.path)
        == ["App/New/All.mm", "App/New/Copy.swift", "App/Old/Inner/Old.m", "App/Old/Old.swift"])
    // The targets of a package may be made by functions of its manifest, which are not followed.
    files["Package.swift"] = "let package = Package(name: \"App\", targets: targets())"
    #expect(
      try report(files).leftOut.filter { $0.reason == .unbuilt }.map(\.path)
        == ["App/New/All.mm", "App/New/Copy.swift"])
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
