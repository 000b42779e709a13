import AtRestAudit
import Testing

/// The severity of a finding follows from its evidence, and not from its name.
@Suite struct EvidenceTests {
  private func finding(_ code: String, _ rule: RuleID = "userdefaults-sensitive") throws -> Finding?
  {
    try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.first { $0.rule == rule }
  }

  @Test func aNameAloneIsLow() throws {
    let found = try #require(
      try finding("func f(password: String) { NSLog(password) }", "log-sensitive"))
    #expect(found.severity == .low)
    #expect(found.basis?.tier == .named)
    #expect(found.basis?.witnesses == [])
  }

  /// In the judged apps, what is called a secret is one where it is kept as a preference or copied.
  @Test(arguments: [
    ("UserDefaults.standard.set(password, forKey: \"x\")", "userdefaults-sensitive"),
    ("UIPasteboard.general.string = password", "pasteboard"),
  ])
  func aNameAloneIsMediumInPreferencesAndOnThePasteboard(call: String, rule: String) throws {
    func found(_ name: String) throws -> Finding? {
      let code = "func f(\(name): String) { \(call.replacing("password", with: name)) }"
      return try finding(code, RuleID(rule))
    }
    #expect(try found("password")?.severity == .medium)
    #expect(try found("password")?.basis?.tier == .named)
    // A name with several meanings is no evidence, and personal data is no secret.
    #expect(try found("token") == nil)
    #expect(try found("email")?.severity == .low)
    #expect(try found("pushToken")?.severity ?? .low == .low)
  }

  /// What the code has for everybody is no secret of the person who copies it.
  @Test func aConstantOnThePasteboardIsLow() throws {
    let code = """
      let wifiPassword = "conference-wifi"
      func f() { UIPasteboard.general.string = wifiPassword }
      """
    #expect(try finding(code, "pasteboard")?.severity == .low)
  }

  @Test func aNameAndAUseAreHigh() throws {
    let found = try #require(
      try finding(
        """
        func f(password: String) { UserDefaults.standard.set(password, forKey: "x") }
        func g(password: String) -> URLCredential {
          URLCredential(user: "u", password: password, persistence: .none)
        }
        """))
    #expect(found.severity == .high)
    #expect(found.basis?.tier == .witnessed)
    let witness = try #require(found.basis?.witnesses.first)
    #expect(witness.location.start.line == 3)
    #expect(witness.message == "is the password of a credential")
  }

  @Test func aSecureFieldIsProof() throws {
    let found = try #require(
      try finding(
        """
        class C: UIViewController {
          let entry = UITextField()
          override func viewDidLoad() { entry.isSecureTextEntry = true }
          func save() { UserDefaults.standard.set(entry.text, forKey: "x") }
        }
        """))
    #expect(found.severity == .high)
    #expect(found.basis?.tier == .proved)
  }

  /// A library reads an entry of an Info.plist that no code names, and to it the key names the app.
  @Test func anEntryForALibraryIsLow() throws {
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.example.app</string>
      <key>Reporter</key><dict><key>AccessToken</key><string>45ebb3c197db95937d23c07145bb2da8226cd851</string></dict>
      </dict></plist>
      """
    func severity(_ code: String, _ path: String = "App/Info.plist") throws -> Severity? {
      try Audit(tree: SourceTree(files: [path: list, "A.swift": code])).run().findings
        .first { $0.rule == "hardcoded-credential" }?.severity
    }
    #expect(try severity("let a = 1") == .low)
    // The app sends it to a service of its own.
    #expect(
      try severity("let key = Bundle.main.object(forInfoDictionaryKey: \"AccessToken\")") == .medium
    )
    #expect(try severity("let a = 1", "App/Secrets.plist") == .medium)
  }

  /// Only the app writes the file. What else its type does changes nothing about it.
  @Test func anArchiveInAFileIsLow() throws {
    let code = """
      final class Loader {
        private let path = NSHomeDirectory() + "/Documents/holidays"
        private lazy var days = NSKeyedUnarchiver.unarchiveObject(withFile: path)
        private let session = URLSession(configuration: .default)
      }
      """
    #expect(try finding(code, "insecure-archive")?.severity == .low)
    let received = """
      func session(_ session: MCSession, didReceive data: Data, fromPeer peer: MCPeerID) {
        show(NSKeyedUnarchiver.unarchiveObject(with: data))
      }
      """
    #expect(try finding(received, "insecure-archive")?.severity == .medium)
  }

  @Test func aNameWithSeveralMeaningsNeedsAUse() throws {
    let code = "func f(token: String) { UserDefaults.standard.set(token, forKey: \"x\") }"
    #expect(try finding(code) == nil)
    let use = """

      func g(_ request: inout URLRequest, token: String) {
        request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")
      }
      """
    #expect(try finding(code + use)?.severity == .high)
  }

  @Test func whatIsShownIsNoSecret() throws {
    let code = """
      struct Room { let token: String }
      func f(_ room: Room) { UserDefaults.standard.set(room.token, forKey: "x") }
      func g(_ request: inout URLRequest, _ room: Room) {
        request.setValue(room.token, forHTTPHeaderField: "Authorization")
      }

      """
    #expect(try finding(code)?.severity == .high)
    #expect(try finding(code + "func h(_ r: Room) -> some View { Text(r.token) }") == nil)
  }

  @Test func theFormOfALiteralIsIndependentOfItsName() throws {
    func severity(_ code: String) throws -> Severity? {
      try finding(code, "hardcoded-credential")?.severity
    }
    #expect(try severity("let backupPassword = \"Wint3r!is-over\"") == .high)
    #expect(try severity("let backupPassword = \"Sonnenblume\"") == .low)
    #expect(try severity("let token = \"9f86d081884c7d659a2feaa0c55ad015\"") == .medium)
    #expect(try severity("let token = \"sonnenblume\"") == nil)
  }

  /// The key of an API and a token of reports name the app, and open nobody's data.
  @Test func aKeyOfTheAppIsLow() throws {
    func severity(_ code: String) throws -> Severity? {
      try finding(code, "hardcoded-credential")?.severity
    }
    let value = "\"9f86d081884c7d659a2feaa0c55ad015\""
    #expect(try severity("let tilesApiKey = \(value)") == .low)
    #expect(try severity("enum Telemetry { static let writeToken = \(value) }") == .low)
    #expect(try severity("enum Service { static let writeToken = \(value) }") == .low)
    #expect(try severity("let clientSecret = \(value)") == .low)
    #expect(try severity("let accessToken = \(value)") == .high)
  }

  @Test func personalDataByNameIsLow() throws {
    let found = try finding(
      "func f(email: String) { UserDefaults.standard.set(email, forKey: \"x\") }")
    #expect(found?.severity == .low)
  }

  @Test func aListThatIsChangedByItsOwnElementsIsRead() throws {
    // The variable and the list are made from each other.
    let report = try Audit(
      tree: SourceTree(files: [
        "A.swift": """
        import SQLite
        if let first = servers.first(where: { $0.name == "a" }), servers.count > 1 {
          servers.insert(first, at: 1)
        }
        """
      ])
    ).run()
    #expect(report.statistics.files == 1)
  }
}
