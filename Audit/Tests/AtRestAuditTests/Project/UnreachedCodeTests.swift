import AtRestAudit
import Testing

/// Findings in code and in screens to which nothing leads are notes, and the report names the files.
@Suite struct UnreachedCodeTests {
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
  private static let leak = "UserDefaults.standard.set(passwordField.text, forKey: \"x\")"
  /// A screen that stores a password.
  private static let screen = """
    class LoginScreen: UIViewController {
      override func viewDidLoad() { \(leak) }
    }
    """

  private func report(_ files: [String: String], project: String = project) throws -> AuditReport {
    var files = files
    files["App.xcodeproj/project.pbxproj"] = project
    return try Audit(tree: SourceTree(files: files)).run()
  }

  /// Returns the severity of what the screen stores, if an app of this code has it.
  private func severity(_ code: String, _ others: [String: String] = [:]) throws -> Severity? {
    var files = others
    // Other types, because a search that misses most of an app proves nothing.
    files["App.swift"] =
      "@main struct TheApp: App { var body: some Scene { let a = One(Two(), Three()); \(code) } }\n"
      + "struct One {}\nstruct Two {}\nstruct Three {}"
    files["Screen.swift"] = files["Screen.swift"] ?? Self.screen
    let report = try report(files)
    let found = report.findings.first { $0.rule == "userdefaults-sensitive" }
    let isNamed = report.leftOut.contains { $0.reason == .unreached && $0.path == "Screen.swift" }
    #expect(isNamed == (found?.severity == .note))
    return found?.severity
  }

  @Test func aScreenThatNothingShowsIsANote() throws {
    #expect(try severity("") == .note)
    #expect(try severity("show(LoginScreen())") == .high)
  }

  @Test func aNameInAStringReachesItsType() throws {
    #expect(try severity("make(NSClassFromString(\"App.LoginScreen\"))") == .high)
    // The parts of a name that is put together.
    #expect(try severity("make(NSClassFromString(\"App.\\(name)Screen\"))") == .high)
    #expect(try severity("print(\"App.\\(name)Screen\")") == .note)
    #expect(try severity("print(\"Show the LoginScreen here\")") == .note)
  }

  @Test func commentsAndPreviewsReachNothing() throws {
    #expect(try severity("/* show(LoginScreen()) */ // LoginScreen()\n") == .note)
    #expect(try severity("", ["P.swift": "#Preview(\"a\") { LoginScreen() }"]) == .note)
    let preview = "struct P: PreviewProvider { static var previews: some View { LoginScreen() } }"
    #expect(try severity("", ["P.swift": preview]) == .note)
  }

  @Test func typesInPatternsArgumentsAndAliasesAreReached() throws {
    for code in [
      "if case let x as LoginScreen = y { x.go() }", "register(Maker<LoginScreen>.self)",
      "typealias Shown = LoginScreen", "let make: (LoginScreen) -> Void = { _ in }",
    ] {
      #expect(try severity(code) == .high, "\(code)")
    }
  }

  @Test func whatOnlyUnreachedCodeUsesIsNotReached() throws {
    let other = "struct Menu { func open() { show(LoginScreen()) } }"
    #expect(try severity("", ["Menu.swift": other]) == .note)
    #expect(try severity("Menu().close()", ["Menu.swift": other]) == .note)
    #expect(try severity("Menu().open()", ["Menu.swift": other]) == .high)
    // A requirement of a protocol that is not the project's may be called by the system.
    let served = other.replacing("Menu {", with: "Menu: Opening {")
    #expect(try severity("Menu().close()", ["Menu.swift": served]) == .high)
    let hidden = served.replacing("func", with: "private func")
    #expect(try severity("Menu().close()", ["Menu.swift": hidden]) == .note)
    let marked = other.replacing("func", with: "@IBAction func")
    #expect(try severity("Menu().close()", ["Menu.swift": marked]) == .high)
  }

  /// Objective-C calls a method by its selector, which somebody names.
  @Test func aMethodOfObjectiveCIsReachedByItsSelector() throws {
    func severity(
      _ method: String, _ use: String = "", _ others: [String: String] = [:]
    ) throws -> Severity? {
      let menu = "class Menu: Screen { \(method) { show(LoginScreen()) } }\nclass Screen {}"
      return try self.severity(
        "Menu().close(); \(use)", others.merging(["Menu.swift": menu]) { $1 })
    }
    let plain = "@objc func open(_ sender: Any)"
    #expect(try severity(plain) == .note)
    #expect(try severity(plain, "button.add(#selector(Menu.open))") == .high)
    #expect(try severity(plain, "button.add(#selector(Menu.open(_:)))") == .high)
    #expect(try severity(plain, "button.add(Selector((\"open:\")))") == .high)
    #expect(try severity(plain, "", ["A.m": "void f(Menu *menu) { [menu open:nil]; }"]) == .high)
    let labelled = "@objc func open(user: Any, at place: Any)"
    #expect(try severity(labelled) == .note)
    #expect(
      try severity(labelled, "", ["A.m": "void f(Menu *m) { [m openWithUser:nil at:nil]; }"])
        == .high)
    let named = "@objc(unlock:) func open(_ sender: Any)"
    #expect(try severity(named) == .note)
    #expect(try severity(named, "", ["A.m": "void f(Menu *menu) { [menu unlock:nil]; }"]) == .high)
    #expect(
      try severity("@objc var open: Any", "", ["A.m": "void f(Menu *m) { [m open]; }"]) == .high)
    #expect(
      try severity("@objc func open()", "", ["P.swift": "@objc protocol P { func open() }"])
        == .note)
    #expect(try severity("@objc override func open()") == .high)
    let action = "<button id=\"b\"><connections><action selector=\"open:\" destination=\"a\"/>"
    let board = """
      <document initialViewController="a"><scenes><scene sceneID="1"><objects>
      <viewController id="a" customClass="Menu"><view key="view"><subviews>
      \(action)</connections></button></subviews></view></viewController>
      </objects></scene></scenes></document>
      """
    #expect(try severity(plain, "", ["Main.storyboard": board]) == .high)
    #expect(
      try severity(plain, "", ["Main.storyboard": board.replacing("open:", with: "close:")])
        == .note)
    let bridge = "import React\nclass Menu { \(plain) { show(LoginScreen()) } }"
    #expect(try self.severity("Menu()", ["Menu.swift": bridge]) == .high)
  }

  @Test func aClassIsReachedByItsNameInObjectiveC() throws {
    let menu = "@objc(AppMenu) class Menu: NSObject { override init() { show(LoginScreen()) } }"
    #expect(try severity("", ["Menu.swift": menu]) == .note)
    #expect(
      try severity("", ["Menu.swift": menu, "A.m": "void f() { [AppMenu new]; }"]) == .high)
  }

  @Test func filesThatAreNotCodeNameTypes() throws {
    let list =
      "<plist version=\"1.0\"><dict><key>NSExtensionPrincipalClass</key>"
      + "<string>$(PRODUCT_MODULE_NAME).LoginScreen</string></dict></plist>"
    #expect(try severity("", ["Share/Info.plist": list]) == .high)
    let generated = "// Generated using SwiftGen\nlet all = [LoginScreen.self]"
    #expect(try severity("", ["Generated.swift": generated]) == .high)
  }

  @Test func storyboardsLeadToTheirScenes() throws {
    func board(_ link: String) -> String {
      """
      <document initialViewController="a"><scenes>
      <scene sceneID="1"><objects><viewController id="a" customClass="Start">\(link)
      </viewController></objects></scene>
      <scene sceneID="2"><objects><viewController id="b" storyboardIdentifier="LoginVC"
      customClass="LoginScreen"/></objects></scene>
      </scenes></document>
      """
    }
    let segue = "<connections><segue destination=\"b\" kind=\"show\" id=\"s\"/></connections>"
    #expect(try severity("", ["Main.storyboard": board("")]) == .note)
    #expect(try severity("", ["Main.storyboard": board(segue)]) == .high)
    #expect(try severity("board.make(\"LoginVC\")", ["Main.storyboard": board("")]) == .high)
    #expect(try severity("R.storyboard.main.loginVC()", ["Main.storyboard": board("")]) == .high)
    // Nothing leads to the storyboard itself.
    #expect(try severity("", ["Other.storyboard": board(segue)]) == .note)
  }

  @Test func aFieldOfASceneThatNothingShowsIsANote() throws {
    func severity(_ name: String) throws -> Severity? {
      let board = """
        <document initialViewController="a"><scenes><scene sceneID="1"><objects>
        <viewController id="a"><view key="view"><subviews>
        <textField id="f" placeholder="Password"/></subviews></view></viewController>
        </objects></scene></scenes></document>
        """
      let report = try report([name: board, "App.swift": "@main struct TheApp {}"])
      return report.findings.first { $0.rule == "secure-text-entry-missing" }?.severity
    }
    #expect(try severity("Main.storyboard") == .medium)
    #expect(try severity("Old.storyboard") == .note)
  }

  @Test func objectiveCIsReachedByClass() throws {
    func severity(_ line: String) throws -> Severity? {
      let screen = """
        @implementation LoginScreen
        - (void)keep { [NSUserDefaults.standardUserDefaults setObject:self.passwordField.text forKey:@"x"]; }
        @end
        """
      let main = """
        #import "LoginScreen.h"
        @class LoginScreen;
        int main() { return UIApplicationMain(0, 0, nil, NSStringFromClass([Start class])); }
        @implementation Start
        - (void)go { \(line) }
        @end
        @implementation Other
        @end
        """
      let report = try report([
        "main.m": main, "LoginScreen.m": screen, "Used.m": "void f() { [Other new]; }",
      ])
      return report.findings.first { $0.rule == "userdefaults-sensitive" }?.severity
    }
    #expect(try severity("") == .note)
    #expect(try severity("[[LoginScreen alloc] init];") == .high)
    #expect(
      try severity("NSClassFromString([NSString stringWithFormat:@\"%@Screen\", x]);") == .high)
  }

  @Test func secretsInTheProgramKeepTheirSeverity() throws {
    let screen = "class LoginScreen { let password = \"Wint3r!is-over\" }"
    let report = try report([
      "App.swift": "@main struct TheApp {}\nstruct A {}\nlet a = A()", "Screen.swift": screen,
    ])
    #expect(report.findings.contains { $0.rule == "hardcoded-credential" && $0.severity > .note })
  }

  /// Nothing is known of the callers of a library, of a part of a project, or of an app that begins elsewhere.
  @Test func withoutAllCallersEverythingIsReached() throws {
    let app = "@main struct TheApp {}\nstruct A {}\nlet a = A()"
    let files = ["App.swift": app, "Screen.swift": Self.screen]
    func severity(
      _ more: [String: String] = [:], paths: [String] = [], project: String = Self.project
    ) throws -> Severity? {
      var files = files.merging(more) { $1 }
      files["App.xcodeproj/project.pbxproj"] = project
      var audit = Audit(tree: SourceTree(files: files))
      audit.paths = paths
      return try audit.run().findings.first { $0.rule == "userdefaults-sensitive" }?.severity
    }
    #expect(try severity() == .note)
    #expect(try severity(project: "{}") == .high)
    #expect(try severity(["App.swift": app.replacing("@main ", with: "")]) == .high)
    #expect(try severity(paths: ["App.swift", "Screen.swift", "App.xcodeproj"]) == .high)
    #expect(try severity(["A.podspec": "s.source_files = 'Scr*.swift'"]) == .high)
    #expect(try severity(["A.podspec": "s.source_files = 'Classes/**/*'"]) == .note)
    let manifest = "let package = Package(products: [.library(name: \"A\", targets: [])])"
    #expect(try severity(["Package.swift": manifest]) == .high)
    // A framework that asks the runtime for all classes leads to most of the app.
    let many = (1...5).map { "class Part\($0) {}" }.joined(separator: "\n")
    #expect(try severity(["Parts.swift": many]) == .high)
  }
}
