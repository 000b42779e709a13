import AtRestAudit
import Testing

/// Findings of one cause are one finding with several places.
@Suite struct CausesTests {
  private static let files = [
    "Account.swift": "struct Account { let accessToken: String }",
    "A.swift": "func a(_ account: Account) { NSLog(account.accessToken) }",
    "B.swift": "func b(_ account: Account) { NSLog(account.accessToken) }",
    "C.swift": "func c(_ refreshToken: String) { NSLog(refreshToken) }",
  ]

  private func report(_ files: [String: String] = Self.files) throws -> AuditReport {
    try Audit(tree: SourceTree(files: files)).run()
  }

  @Test func onePropertyIsOneCause() throws {
    let found = try report().findings.filter { $0.rule == "log-sensitive" }
    #expect(found.map(\.location.path) == ["A.swift", "C.swift"])
    #expect(found.first?.places.map(\.path) == ["B.swift"])
    #expect(found.last?.places == [])
  }

  /// The fields for the words of a phrase are one screen to mend.
  @Test func numberedFieldsAreOneCause() throws {
    func scene(_ names: [String]) -> String {
      let fields = names.map {
        "<textField id=\"\($0)\"><textInputTraits key=\"textInputTraits\"/></textField>"
      }
      let outlets = names.map { "<outlet property=\"\($0)\" destination=\"\($0)\" id=\"o\($0)\"/>" }
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB">
        <objects>
        <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="Words">
        <connections>\(outlets.joined())</connections>
        </placeholder>
        <view id="v1"><subviews>\(fields.joined(separator: "\n"))</subviews></view>
        </objects>
        </document>
        """
    }
    let report = try report([
      "Words.xib": scene(["secretKeyField1", "secretKeyField2", "passwordField"])
    ])
    let found = report.findings.filter { $0.rule == "secure-text-entry-missing" }
    #expect(found.map(\.places.count).sorted() == [0, 1])
  }

  /// An address can go on in many ways.
  @Test func oneTokenInSeveralAddressesIsOneCause() throws {
    let token = "shpat_" + "0123456789abcdef0123456789abcdef"
    let report = try report([
      "A.swift": "let list = \"https://9f3a7c:\(token)@shop.example.org/orders.json\"",
      "B.swift": "let one = \"https://9f3a7c:\(token)@shop.example.org/customers.json\"",
    ])
    let found = report.findings.filter { $0.rule == "hardcoded-credential" }
    #expect(found.map(\.places.count) == [1])
    #expect(!TerminalReport().text(of: report, rules: Rulebook.all).contains(token))
  }

  /// A constant is a key by its name and by the cipher that takes it, and a copy can have another name.
  @Test func oneKeyIsOneCause() throws {
    let key = "008f80e79e6b8c6a500e54e216e38ac2"
    let found = try report([
      "A.swift": """
      let encryptionKey = "\(key)"
      func seal(_ plain: Data) throws -> Data? {
        try AES.GCM.seal(plain, using: SymmetricKey(data: Data(encryptionKey.utf8))).combined
      }
      """,
      "B.swift": "let desKeyOfGame = \"\(key)\"\nlet otherEncryptionKey = \"Zq8#nPw2LxV5tY7uBc4k\"",
    ]).findings.filter { $0.rule == "hardcoded-key" }
    #expect(found.map(\.location.path) == ["A.swift", "B.swift"])
    #expect(found.first?.severity == .high)
    #expect(found.first?.places.map(\.path) == ["B.swift"])
  }

  @Test func eachPlaceIsInTheBaseline() throws {
    let baseline = Baseline(try report())
    #expect(Set(baseline.findings.map(\.path)).isSuperset(of: ["A.swift", "B.swift", "C.swift"]))
    // A new place of a known cause is new.
    var files = Self.files
    files["D.swift"] = "func d(_ account: Account) { NSLog(account.accessToken) }"
    var audit = Audit(tree: SourceTree(files: files))
    audit.baseline = baseline
    #expect(
      try audit.run().findings.filter { $0.rule == "log-sensitive" }.map(\.location.path)
        == ["D.swift"])
  }

  @Test func aCommentSuppressesItsPlaceOnly() throws {
    var files = Self.files
    files["A.swift"] =
      "// atrest:ignore log-sensitive reviewed\n" + (Self.files["A.swift"] ?? "")
    let report = try report(files)
    let found = report.findings.filter { $0.rule == "log-sensitive" }
    #expect(found.map(\.location.path) == ["B.swift", "C.swift"])
    #expect(report.suppressed.count == 1)
  }

  @Test func whatIsLoggedInADozenPlacesIsDoubtful() throws {
    let account = """
      struct Account { let accessToken: String }
      func sign(_ request: inout URLRequest, _ account: Account) {
        request.setValue(account.accessToken, forHTTPHeaderField: "Authorization")
      }

      """
    func severity(_ count: Int) throws -> Severity? {
      let calls = (0..<count).map { "func f\($0)(_ a: Account) { NSLog(a.accessToken) }\n" }
      let found = try report(["A.swift": account + calls.joined()]).findings.filter {
        $0.rule == "log-sensitive"
      }
      #expect(found.count == 1)
      #expect(found.first?.places.count == count - 1)
      return found.first?.severity
    }
    #expect(try severity(3) == .high)
    #expect(try severity(12) == .low)
  }

  @Test func aCallIsToldOnce() throws {
    let found = try report([
      "Log.swift": """
      enum AppLog { static func log(_ text: String) { NSLog(text) } }
      func f(password: String) { AppLog.log("password: \\(password)") }
      """
    ]).findings.filter { $0.rule == "log-sensitive" }
    #expect(found.count == 1)
  }
}
