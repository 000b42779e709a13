import AtRestAudit
import Foundation
import Testing

/// Code whose only mention is hard to find is reached all the same, so that its findings keep their severity.
@Suite struct UnreachedMentionTests {
  private static let files = [
    "App.xcodeproj/project.pbxproj": """
    // !$*UTF8*$!
    { objects = {
      A = { isa = PBXProject; targets = (T,); mainGroup = G; };
      G = { isa = PBXGroup; children = (); sourceTree = "<group>"; };
      T = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (); };
    }; rootObject = A; }
    """,
    "Screen.swift": """
    class LoginScreen: UIViewController {
      override func viewDidLoad() { UserDefaults.standard.set(passwordField.text, forKey: "x") }
    }
    """,
  ]
  private static let maker = "enum Maker { static func go() { show(LoginScreen()) } }\n"

  private static func app(_ code: String, _ others: String = "") -> String {
    "@main struct TheApp: App { var body: some Scene { let a = One(Two(), Three()); \(code) } }\n"
      + "struct One {}\nstruct Two {}\nstruct Three {}\n" + others
  }

  private func severity(_ audit: Audit) throws -> Severity? {
    try audit.run().findings.first { $0.rule == "userdefaults-sensitive" }?.severity
  }

  private func severity(
    _ code: String, _ others: String = "", board: String? = nil
  ) throws -> Severity? {
    var files = Self.files
    files["App.swift"] = Self.app(code, others)
    files["Main.storyboard"] = board
    return try severity(Audit(tree: SourceTree(files: files)))
  }

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in Self.files.merging(
      ["App.swift": Self.app("Maker.go()")], uniquingKeysWith: { $1 })
    {
      try write(text, folder.appending(path: path))
    }
    try body(folder)
  }

  private func write(_ text: String, _ url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test func theWordImportHidesNothing() throws {
    #expect(try severity("load(import: LoginScreen())") == .high)
    #expect(try severity("switch x {\ncase .import: return LoginScreen() }") == .high)
    #expect(try severity("load(\nimport: LoginScreen())") == .high)
    #expect(try severity("", "import One; let a = LoginScreen()") == .high)
    #expect(try severity("", "import LoginScreen") == .note)
    #expect(try severity("", "@testable import class App.LoginScreen") == .note)
  }

  @Test func quotationMarksInRegularExpressionsHideNothing() throws {
    #expect(try severity("let r = /\"/; show(LoginScreen())") == .high)
    #expect(try severity("let r = /\"/; show(LoginScreen()); let q = /\"/") == .high)
    #expect(try severity("let r = /\"\"\"/\nshow(LoginScreen())\nlet q = /\"\"\"/") == .high)
    #expect(try severity("let r = #/a//b/#; show(LoginScreen())") == .high)
    #expect(try severity("let a = b / c // LoginScreen()\n") == .note)
    #expect(try severity("let a = \"\"\"\n the LoginScreen\n \"\"\"\n") == .note)
  }

  @Test func operatorsAreReached() throws {
    let code = "(l: Int, r: Int) { show(LoginScreen()) }"
    #expect(try severity("a |> b", "infix operator |>\nfunc |> \(code)") == .high)
    #expect(try severity("", "func pipe \(code)") == .note)
    #expect(try severity("a∘LoginScreen()") == .high)
  }

  @Test func membersThatObjectiveCKnowsAreReached() throws {
    let members = "class Helper: NSObject { func wake() { show(LoginScreen()) } }"
    #expect(try severity("Helper()", members) == .note)
    #expect(try severity("Helper()", "@objcMembers " + members) == .high)
    #expect(
      try severity(
        "Helper()",
        "class Helper {}\n@objc extension Helper { func wake() { show(LoginScreen()) } }")
        == .high)
  }

  @Test func namesOfScenesThatArePutTogetherReachThem() throws {
    let board = """
      <document initialViewController="a"><scenes>
      <scene sceneID="1"><objects><viewController id="a" customClass="Start"/></objects></scene>
      <scene sceneID="2"><objects><viewController id="b" storyboardIdentifier="LoginVC"
      customClass="LoginScreen"/></objects></scene>
      </scenes></document>
      """
    for name in ["which + \"VC\"", "\"\\(which)VC\"", "String(format: \"%@VC\", which)"] {
      let call = "board.instantiateViewController(withIdentifier: \(name))"
      #expect(try severity(call, board: board) == .high, "\(name)")
      #expect(try severity("print(\(name))", board: board) == .note, "\(name)")
    }
  }

  /// Nothing is unreached if a file of code is not read.
  @Test func codeThatCannotBeReadMayMentionAnything() throws {
    func severity(_ data: Data?) throws -> Severity? {
      var files = Self.files.mapValues { Data($0.utf8) }
      files["App.swift"] = Data(Self.app("Maker.go()").utf8)
      files["Maker.swift"] = data
      return try self.severity(Audit(tree: SourceTree(data: files)))
    }
    #expect(try severity(nil) == .note)
    #expect(try severity(Self.maker.data(using: .utf16)) == .high)
    #expect(try severity(Data(repeating: 0x0A, count: 11 << 20)) == .high)
  }

  @Test func generatedFilesMentionTypes() throws {
    var files = Self.files
    files["App.swift"] = Self.app("Maker.go()")
    files["Maker.generated.swift"] = Self.maker
    #expect(try severity(Audit(tree: SourceTree(files: files))) == .high)
  }

  @Test func filesThatGitIgnoresMentionTypes() throws {
    try inFolder { folder in
      let git = Process()
      git.executableURL = URL(filePath: "/usr/bin/env")
      git.arguments = ["git", "-C", folder.path, "init", "-q"]
      try git.run()
      git.waitUntilExit()
      try write("Gen/\n", folder.appending(path: ".gitignore"))
      let audit = Audit(tree: SourceTree(folder: folder.path))
      #expect(try severity(audit) == .note)
      try write(Self.maker, folder.appending(path: "Gen/Inner/Maker.swift"))
      #expect(try severity(audit) == .high)
      #expect(try audit.run().leftOut.contains { $0.reason == .ignored })
    }
  }

  @Test func codeBehindLinksMayMentionAnything() throws {
    try inFolder { folder in
      let audit = Audit(tree: SourceTree(folder: folder.path))
      let files = FileManager.default
      let inside = folder.appending(path: "Inside.swift")
      try files.createSymbolicLink(
        at: inside, withDestinationURL: folder.appending(path: "App.swift"))
      #expect(try severity(audit) == .note)
      let other = files.temporaryDirectory.appending(path: UUID().uuidString + ".swift")
      defer { try? files.removeItem(at: other) }
      try write(Self.maker, other)
      try files.createSymbolicLink(
        at: folder.appending(path: "Maker.swift"), withDestinationURL: other)
      #expect(try severity(audit) == .high)
    }
  }

  /// A folder is the same project from outside of it.
  @Test func theAnswerDoesNotDependOnWhereTheAuditBegins() throws {
    func severity(_ more: [String: String], folder: String) throws -> Severity? {
      var files = Self.files.merging(["App.swift": Self.app("")]) { $1 }.merging(more) { $1 }
      if !folder.isEmpty {
        files = Dictionary(uniqueKeysWithValues: files.map { (folder + "/" + $0, $1) })
      }
      var audit = Audit(tree: SourceTree(files: files))
      audit.paths = folder.isEmpty ? [] : [folder]
      return try self.severity(audit)
    }
    let library = "let package = Package(products: [.library(name: \"A\", targets: [])])"
    for folder in ["", "Inner"] {
      #expect(try severity([:], folder: folder) == .note)
      #expect(try severity(["Package.swift": library], folder: folder) == .high)
      let pod = "s.source_files = 'Scr*.swift'"
      #expect(try severity(["A.podspec": pod], folder: folder) == .high)
    }
  }
}
