import AtRestAudit
import Testing

/// Uses of a value that show that it is a secret, and forms that show that it is not.
@Suite struct WitnessTests {
  private func finding(
    _ code: String, _ rule: RuleID = "userdefaults-sensitive", in path: String = "A.swift"
  ) throws -> Finding? {
    try Audit(tree: SourceTree(files: [path: code])).run().findings.first { $0.rule == rule }
  }

  /// An app lock compares what was entered with what it stored.
  @Test func aComparisonWithWhatIsEntered() throws {
    let store = """
      - (void)setAppLockPin:(NSString *)appLockPin {
        [[NSUserDefaults standardUserDefaults] setObject:appLockPin forKey:@"lock"];
      }
      """
    let check = "- (BOOL)opens:(NSString *)pin { return [pin isEqualToString:self.appLockPin]; }"
    func code(_ body: String) -> String { "@implementation Lock\n\(body)\n@end" }
    #expect(try finding(code(store), in: "Lock.m")?.severity != .high)
    let found = try #require(try finding(code(store + "\n" + check), in: "Lock.m"))
    #expect(found.severity == .high)
    #expect(found.basis?.witnesses.map(\.message) == ["is compared with what is stored"])
  }

  @Test func aComparisonWithWhatIsTyped() throws {
    let store = "func f(password: String) { UserDefaults.standard.set(password, forKey: \"x\") }\n"
    let check = "func g(password: String) -> Bool { entry.text == password }"
    #expect(try finding(store)?.severity == .medium)
    #expect(try finding(store + check)?.severity == .high)
  }

  @Test(arguments: [
    "self.accessValue = [NSString stringWithFormat:@\"Bearer %@\", accessToken];",
    "[request setHeader:[NSString stringWithFormat:@\"Bearer %@\", self.accessToken]];",
  ])
  func aHeaderThatIsPutTogether(use: String) throws {
    let store = "[[NSUserDefaults standardUserDefaults] setValue:accessToken forKey:@\"x\"];"
    func code(_ use: String) -> String {
      "@implementation Login\n- (void)keep:(NSString *)accessToken {\n\(use)\n\(store)\n}\n@end"
    }
    #expect(try finding(code(""), in: "Login.m")?.severity == .medium)
    #expect(try finding(code(use), in: "Login.m")?.severity == .high)
  }

  @Test func aKeyBesideItsPassphrase() throws {
    let code = """
      final class Settings {
        var gitPrivateKey: Data?
        // Rest
      }
      func install(_ settings: Settings, to url: URL) throws {
        try settings.gitPrivateKey?.write(to: url)
      }
      """
    #expect(try finding(code, "plaintext-file")?.severity == .low)
    let pair = code.replacing("// Rest", with: "var gitPrivateKeyPassphrase: String?")
    #expect(try finding(pair, "plaintext-file")?.severity == .high)
    // Another type can call something else so.
    let other =
      pair + "func f(gitPrivateKey: Data, url: URL) throws { try gitPrivateKey.write(to: url) }"
    let all = try Audit(tree: SourceTree(files: ["A.swift": other])).run().findings
      .filter { $0.rule == "plaintext-file" }.map(\.severity)
    #expect(all == [.high, .low])
  }

  /// The call that stores a value does not show that it is a secret.
  @Test(arguments: [
    "UserDefaults.standard.setValue(answer.refreshToken, forKey: \"refreshToken\")",
    "UserDefaults.standard.set([\"refreshToken\": answer.refreshToken], forKey: \"x\")",
    "let all = [\"refreshToken\": answer.refreshToken]; defaults.set(all, forKey: \"x\")",
    "var all = [:]; all[\"refreshToken\"] = answer.refreshToken; defaults.set(all, forKey: \"x\")",
    "defaults[\"refreshToken\"] = answer.refreshToken",
  ])
  func whatStoresAValueIsNoWitness(store: String) throws {
    let code = """
      struct Answer { let refreshToken: String }
      func keep(_ answer: Answer, _ defaults: UserDefaults) { \(store) }
      """
    #expect(try finding(code)?.severity == .medium)
    let use = "\nfunc send(_ a: Answer) -> [String: String] { [\"refreshToken\": a.refreshToken] }"
    #expect(try finding(code + use)?.severity == .high)
  }

  /// What is read from an entry and used as a secret is one where it is stored, in any file.
  @Test(arguments: [
    "let value = UserDefaults.standard.value(forKey: \"token\") as! String; send(\"Token \\(value)\")",
    "send(UserDefaults.standard.string(forKey: Keys.current) ?? \"\")",
    "send(Session().bearer)", "send(Session().saved)", "send(Session().read(Keys.current) ?? \"\")",
  ])
  func aUseOfWhatIsReadFromAnEntry(use: String) throws {
    func severity(_ use: String) throws -> Severity? {
      let files = [
        "Keys.swift": "enum Keys { static let current = \"token\" }",
        "Login.swift":
          "func keep(_ t: String) { UserDefaults.standard.set(t, forKey: Keys.current) }",
        "Session.swift": """
        struct Session {
          @AppStorage("token") var saved = ""
          var bearer: String? { get { UserDefaults.standard.string(forKey: Keys.current) } }
          func read(_ key: String) -> String? { UserDefaults.standard.string(forKey: key) }
        }
        """,
        "Client.swift": "func f(_ r: inout URLRequest, _ answer: [String: String]) { \(use) }",
      ]
      return try Audit(tree: SourceTree(files: files)).run().findings
        .first { $0.rule == "userdefaults-sensitive" && $0.location.path == "Login.swift" }?
        .severity
    }
    func header(_ use: String) -> String {
      use.replacing("send(", with: "r.setValue(").dropLast()
        + ", forHTTPHeaderField: \"Authorization\")"
    }
    #expect(try severity(header(use)) == .high)
    #expect(try severity(use.replacing("send(", with: "show(")) == nil)
    #expect(
      try severity(
        header(
          use.replacing("oken", with: "heme").replacing("current", with: "x")
            .replacing("bearer", with: "x").replacing("saved", with: "x"))) == nil)
    // The entry of an answer is another one.
    #expect(try severity(header("send(answer[\"token\"] ?? \"\")")) == nil)
  }

  /// A name with several meanings is that of a secret. Health has no other meaning.
  @Test func theIdentifierOfAPatient() throws {
    func code(_ key: String) -> String {
      "func keep(_ value: String) { UserDefaults.standard.set(value, forKey: \"\(key)\") }"
    }
    #expect(try finding(code("patientId"))?.severity == .low)
    #expect(try finding(code("viewId")) == nil)
  }

  /// A word is no random secret, whatever the name is used for elsewhere.
  @Test func aWordIsLow() throws {
    let use = """

      func g(password: String) -> URLCredential {
        URLCredential(user: "u", password: password, persistence: .none)
      }
      """
    func severity(_ value: String) throws -> Severity? {
      try finding("let password = \"\(value)\"" + use, "hardcoded-credential")?.severity
    }
    #expect(try severity("foobarbogus") == .low)
    #expect(try severity("Zq8#nPw2LxV5tY7u") == .high)
  }

  /// The key of a network or a product can be known to everybody.
  @Test func aKeyThatOpensSomethingUnknownIsLow() throws {
    func severity(_ name: String) throws -> Severity? {
      let text = "\(name) = 1KHLiKZvAvjbY1ziZEHMXawbCEIM6qwjCDm3VYRan/s=\n"
      return try Audit(tree: SourceTree(files: ["Release.xcconfig": text])).run().findings.first?
        .severity
    }
    #expect(try severity("MAIN_NETWORK_KEY") == .low)
    #expect(try severity("ENCRYPTION_KEY") == .high)
  }

  @Test func theSameByteManyTimesIsNoKey() throws {
    func code(_ bytes: String) -> String { "let privateKey: [UInt8] = [\(bytes)]" }
    #expect(
      try finding(code("0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe"), "hardcoded-key") == nil)
    #expect(
      try finding(code("0x1f, 0xaf, 0x3f, 0x44, 0x5f, 0xf6, 0x7f, 0xfe"), "hardcoded-key") != nil)
  }

  /// `Data` describes itself by the number of its bytes.
  @Test func theDescriptionOfDataShowsNothing() throws {
    func code(_ type: String) -> String {
      """
      struct Profile {
        let encryptionKey: \(type)?
        func f() { print("key: \\(encryptionKey?.description ?? "none")") }
      }
      """
    }
    #expect(try finding(code("Data"), "log-sensitive") == nil)
    #expect(try finding(code("String"), "log-sensitive") != nil)
  }

  /// A local constant has the use of the property that it was read from, in any file.
  @Test func aPropertyThatALocalConstantIsReadFrom() throws {
    func severity(_ use: String) throws -> Severity? {
      let files = [
        "Fields.swift": """
        struct Fields: Codable { let mode: String; let token: String? }
        func keep(_ fields: Fields) throws {
          let data = try JSONEncoder().encode(fields)
          UserDefaults.standard.set(data, forKey: "fields")
        }
        """,
        "Cipher.swift":
          "func open(_ f: Fields) throws { guard let token = f.token else { return }; \(use) }",
      ]
      return try Audit(tree: SourceTree(files: files)).run().findings
        .first { $0.rule == "userdefaults-sensitive" }?.severity
    }
    #expect(try severity("show(token)") == nil)
    let use = "request.setValue(token, forHTTPHeaderField: \"Authorization\")"
    #expect(try severity(use) == .high)
  }
}
