import AtRestAudit
import Testing

/// Values are followed from the source that makes them sensitive to the place that exposes them.
@Suite struct FlowTests {
  /// Returns the lines of one file on which a rule finds something.
  private func lines(
    _ rule: RuleID, _ text: String, _ more: [String: String] = [:]
  ) throws -> [Int] {
    let files = more.merging(["A.swift": text]) { $1 }
    return try Audit(tree: SourceTree(files: files)).run().findings
      .filter { $0.rule == rule && $0.location.path == "A.swift" }.map(\.location.start.line)
  }

  @Test func throughALocalVariableUnderAnotherName() throws {
    #expect(
      try lines(
        "log-sensitive",
        """
        func f() {
          let x = passwordField.text ?? ""
          let y = x.trimmingCharacters(in: .whitespaces)
          print(y)
        }
        """) == [4])
  }

  @Test func throughAPropertyOfTheType() throws {
    #expect(
      try lines(
        "log-sensitive",
        """
        class A {
          var entered = ""
          func take() { entered = passwordField.text! }
          func show() { print(entered) }
        }
        """) == [4])
  }

  @Test func throughTheResultOfAFunctionInAnotherFile() throws {
    #expect(
      try lines(
        "userdefaults-sensitive",
        "func f() { UserDefaults.standard.set(current(), forKey: \"x\") }",
        ["B.swift": "func current() -> String { let t = \"Bearer \" + accessToken; return t }"])
        == [1])
  }

  @Test func throughADictionaryThatIsBuilt() throws {
    #expect(
      try lines(
        "userdefaults-sensitive",
        """
        func f(passcode: String) {
          var record: [String: Any] = ["name": name]
          record["a"] = passcode
          UserDefaults.standard.set(record, forKey: "record")
        }
        """) == [4])
  }

  @Test func aQueryIsBuiltByOtherFunctions() throws {
    let builder = """
      struct K {
        static func base(_ account: String) -> [String: Any] {
          var q = [String: Any]()
          q[kSecClass as String] = kSecClassGenericPassword
          q[kSecAttrAccount as String] = account
          ACCESSIBLE
          return q
        }
      }
      """
    let text = """
      func add(_ data: Data) {
        var q = K.base("a")
        q[kSecValueData as String] = data
        SecItemAdd(q as CFDictionary, nil)
      }
      """
    let without = builder.replacingOccurrences(of: "ACCESSIBLE", with: "")
    let with = builder.replacingOccurrences(
      of: "ACCESSIBLE",
      with: "q[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly")
    #expect(try lines("keychain-default-accessibility", text, ["K.swift": without]) == [4])
    #expect(try lines("keychain-default-accessibility", text, ["K.swift": with]) == [])
  }

  @Test func aConstantTwoFilesAway() throws {
    #expect(
      try lines(
        "hardcoded-key", "func f(_ d: Data) { let k = SymmetricKey(data: Data(B.bytes.utf8)) }",
        [
          "B.swift": "enum B { static let bytes = C.material }",
          "C.swift": "enum C { static let material = \"0123456789abcdef\" }",
        ]
      ).isEmpty)
    let found = try Audit(
      tree: SourceTree(files: [
        "A.swift": "func f(_ d: Data) { let k = SymmetricKey(data: Data(B.bytes.utf8)) }",
        "B.swift": "enum B { static let bytes = C.material }",
        "C.swift": "enum C { static let material = \"0123456789abcdef\" }",
      ])
    ).run().findings.filter { $0.rule == "hardcoded-key" }
    #expect(found.map(\.location.path) == ["C.swift"])
    #expect(found.first?.trail.map(\.location.path) == ["A.swift"])
  }

  @Test(arguments: [
    "print(password.count)", "print(\"password\")", "print(isPasswordSet)",
    "print(sha256(password))",
    "print(passwordData)", "log.info(\"\\(password)\")", "// print(password)",
    "#if DEBUG\nprint(password)\n#endif", "print(Keys.password)", "print(password == other)",
    "if password.isEmpty { print(error) }", "print(publicKey)", "print(deviceToken)",
  ])
  func whatOnlyLooksLikeItIsLeftAlone(_ statement: String) throws {
    let text = """
      import os
      let log = Logger()
      enum Keys { static let password = "password" }
      func f(_ password: String, _ passwordData: Data) {
      \(statement)
      }
      """
    #expect(try lines("log-sensitive", text) == [])
  }

  /// Control for the test above.
  @Test func theSameBareIsFound() throws {
    #expect(try lines("log-sensitive", "func f(_ password: String) {\nprint(password)\n}") == [2])
  }
}
