import AtRestAudit
import Testing

/// Witnesses that count against a finding, and what a secret opens.
@Suite struct WeightTests {
  private func severity(
    _ code: String, _ rule: RuleID, in path: String = "A.swift"
  ) throws -> Severity? {
    try Audit(tree: SourceTree(files: [path: code])).run().findings.first { $0.rule == rule }?
      .severity
  }

  @Test(arguments: [
    ("let appSecret = \"Zq8nPw2LxV5tY7uKd4vB\"", Severity.low),
    ("let DEFAULT_PASSWORD = \"Zq8#nPw2LxV5tY7u\"", .low),
    ("let wctToken = \"DHgwrRvVyqJsepd32YbBqUeDH4GJ1N984X8QoekjgH8J\"", .low),
    ("let token = \"DHgwrRvVyqJsepd32YbBqUeDH4GJ1N984X8QoekjgH8J\"", .medium),
    ("let dsn = \"https://055d62fcc1eb4d7f:61a318fe1ee344ec@sentry.example.org/12\"", .low),
    ("let url = \"https://api.example.org/list?key=91303dedf64285cbbaf9120f6e9d160a\"", .low),
    ("let databasePassword = \"Zq8#nPw2LxV5tY7u\"", .high),
    ("let url = \"https://anna:61a318fe1ee344ec@files.example.org/12\"", .high),
  ])
  func aLiteralWeighsWhatItOpens(code: String, expected: Severity) throws {
    #expect(try severity(code, "hardcoded-credential") == expected)
  }

  /// A key that every copy of an app has by design, and that its service restricts to the app.
  @Test func aKeyThatAServiceRestrictsIsLow() throws {
    let code = "GMSServices.provideAPIKey(\"\("AIza" + "SyDx52bcKwS2zOevs0m2aG8Nv7pBtflAanB")\")"
    #expect(try severity(code, "hardcoded-credential") == .low)
  }

  @Test(arguments: [
    ("PKCS12Container(data: keychain.container, password: password)", Severity.low),
    ("open(data: keychain.container, password: password)", .high),
  ])
  func thePasswordOfAContainerOpensNothingAlone(use: String, expected: Severity) throws {
    let code = """
      func sign() throws {
        let password = "CE75EA598C7743AD9B0B7328DED85B06"
        try \(use)
      }
      """
    #expect(try severity(code, "hardcoded-credential") == expected)
  }

  /// What is encoded decides, whatever its entry is called.
  @Test(arguments: ["z", "session"])
  func aRecordUnderAWeakNameKeepsItsWeight(entry: String) throws {
    let code = """
      struct Account: Codable {
        let token: String
        var header: String { "Bearer \\(token)" }
      }
      func keep(_ accounts: [Account]) throws {
        UserDefaults.standard.set(try JSONEncoder().encode(accounts), forKey: "\(entry)")
      }
      """
    #expect(try severity(code, "userdefaults-sensitive") == .high)
  }

  @Test func aTokenOfASampleIsLow() throws {
    func code(_ name: String) -> String {
      """
      func start() {
        let \(name) = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjo5LCJleHAiOjE3NTM4fQ.yQd_TLMK0pVMxbPGcDDlMw"
        open(\(name))
      }
      """
    }
    #expect(try severity(code("bearer"), "hardcoded-credential") == .high)
    #expect(try severity(code("mockToken"), "hardcoded-credential") == .low)
  }

  /// A translation of an interface has captions under the names of what they caption.
  @Test func aTextOfAnInterfaceIsNoSecret() throws {
    let path = "Shared/de.lproj/Localizable.strings"
    let caption = "\"_e2ePassword\" = \"E2E-Passwort\";"
    #expect(try severity(caption, "hardcoded-credential", in: path) == nil)
    let value = "\"_e2ePassword\" = \"q8nPw2LxV5tY7uKd4vBs9\";"
    #expect(try severity(value, "hardcoded-credential", in: path) == .high)
  }

  @Test func aKeyInTheCodeOutweighsItsIV() throws {
    func code(_ key: String) -> String {
      """
      func seal(_ data: [UInt8], own: [UInt8]) throws -> [UInt8] {
        let iv: [UInt8] = [1, 7, 3, 9, 2, 8, 4, 6, 5, 1, 7, 3, 9, 2, 8, 4]
        return try AES(key: \(key), blockMode: CBC(iv: iv)).encrypt(data)
      }
      """
    }
    #expect(try severity(code("own"), "static-iv") == .medium)
    #expect(try severity(code("Array(\"q8nPw2LxV5tY7uKd\".utf8)"), "static-iv") == .low)
  }

  @Test func aConstantThatNothingEncryptsWithIsLow() throws {
    #expect(try severity("let iv = \"BDC15E1365E4430A\"", "static-iv") == .low)
  }

  @Test func roundsThatWereAdvisedAreLow() throws {
    func code(_ rounds: Int) -> String {
      "func f(p: [UInt8], s: [UInt8]) throws { _ = try PKCS5.PBKDF2(password: p, salt: s, "
        + "iterations: \(rounds), variant: .sha256).calculate() }"
    }
    #expect(try severity(code(100_000), "weak-kdf") == .low)
    #expect(try severity(code(10_000), "weak-kdf") == .medium)
  }

  @Test func whatIsKeptForAnotherPurposeIsLow() throws {
    func code(_ attribute: String) -> String {
      """
      import CoreData
      final class Device: NSManagedObject {
        @NSManaged var name: String
        @NSManaged var note: String
      }
      func save(_ device: Device, passwordField: UITextField) {
        device.\(attribute) = passwordField.text
      }
      """
    }
    #expect(try severity(code("name"), "core-data-unprotected") == .low)
    #expect(try severity(code("note"), "core-data-unprotected") == .high)
  }

  /// A type that hashes what it is given holds no password.
  @Test func aTypeThatHashesHoldsNoSecret() throws {
    func code(_ value: String) -> String {
      """
      struct BackupPassword {
        let value: String
        init(_ text: String) { value = \(value) }
      }
      func save(text: String) -> URLCredential {
        let backupPassword = BackupPassword(text)
        UserDefaults.standard.set(backupPassword.value, forKey: "x")
        return URLCredential(user: "u", password: backupPassword.value, persistence: .none)
      }
      """
    }
    #expect(try severity(code("text.sha256()"), "userdefaults-sensitive") == nil)
    #expect(try severity(code("text"), "userdefaults-sensitive") != nil)
  }

  @Test func aRecordOfWhatWasEncryptedHoldsNoSecret() throws {
    func code(_ value: String) -> String {
      """
      func save(_ key: String, id: String, to url: URL) throws {
        let encryptedKey = try cipher.encrypt(key)
        let pair = Pair(id: id, secretKey: \(value))
        try JSONEncoder().encode(pair).write(to: url)
      }
      """
    }
    #expect(try severity(code("key"), "plaintext-file") != nil)
    #expect(try severity(code("encryptedKey"), "plaintext-file") == nil)
  }

  @Test func aPreferenceThatIsOnlyReadStoresNothing() throws {
    func code(_ use: String) -> String {
      """
      struct Setup: View {
        @AppStorage("userToken") private var userToken: String = ""
        func load(_ request: inout URLRequest, token: String) {
          request.setValue("Bearer \\(userToken)", forHTTPHeaderField: "Authorization")
          \(use)
        }
      }
      """
    }
    #expect(try severity(code(""), "userdefaults-sensitive") == nil)
    #expect(try severity(code("userToken = token"), "userdefaults-sensitive") == .high)
    let stored = "UserDefaults.standard.set(token, forKey: \"userToken\")"
    #expect(try severity(code(stored), "userdefaults-sensitive") == .high)
  }

  @Test func anOlderSystemGetsTheSameCopy() throws {
    func code(_ first: String) -> String {
      """
      func copy(password: String) -> URLCredential {
        let pasteboard = UIPasteboard.general
        if new { \(first) } else { pasteboard.string = password }
        return URLCredential(user: "u", password: password, persistence: .none)
      }
      """
    }
    #expect(try severity(code("show()"), "pasteboard") == .medium)
    let limited =
      "pasteboard.setItems([[\"text\": password]], options: [.localOnly: true, .expirationDate: Date()])"
    #expect(try severity(code(limited), "pasteboard") == nil)
  }

  /// People send the password of a conference to those who come.
  @Test func thePasswordOfAConferenceIsLow() throws {
    func code(_ name: String) -> String {
      """
      func copy(\(name)Password: String) -> URLCredential {
        UIPasteboard.general.string = \(name)Password
        return URLCredential(user: "u", password: \(name)Password, persistence: .none)
      }
      """
    }
    #expect(try severity(code("account"), "pasteboard") == .medium)
    #expect(try severity(code("conference"), "pasteboard") == .low)
  }

  @Test func anAddressOfAnAppIsNotSent() throws {
    func code(_ scheme: String) -> String {
      "func f(x: String) -> URL? { URL(string: \"\(scheme)://login?password=\\(x)\") }"
    }
    #expect(try severity(code("https"), "sensitive-in-url") == .medium)
    #expect(try severity(code("tt"), "sensitive-in-url") == .low)
  }

  @Test func anAuthenticationTokenLetsSomebodyIn() throws {
    func code(_ name: String) -> String {
      "func f(x: String) { UserDefaults.standard.set(x, forKey: \"\(name)\") }"
    }
    #expect(try severity(code("authenticationToken"), "userdefaults-sensitive") == .medium)
    #expect(try severity(code("authenticationCode"), "userdefaults-sensitive") == nil)
  }

  @Test func aTokenThatAttestsTheAppIsLow() throws {
    func code(_ key: String) -> String {
      """
      func store(token: String, request: inout URLRequest) {
        UserDefaults.standard.set(token, forKey: "\(key)")
        request.setValue(token, forHTTPHeaderField: "Authorization")
      }
      """
    }
    #expect(try severity(code("login.accessToken"), "userdefaults-sensitive") == .high)
    #expect(try severity(code("appCheck.accessToken"), "userdefaults-sensitive") == .low)
  }
}
