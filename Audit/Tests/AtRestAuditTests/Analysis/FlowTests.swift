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

  /// A function enters what its callers give it, under the keys that they give it.
  @Test(arguments: ["all", "try! JSONSerialization.data(withJSONObject: all)", "packed", "text"])
  func throughAKeyOfCallers(stored: String) throws {
    let code = """
      final class Settings {
        var isDark = false { didSet { update(field: "Dark", value: isDark) } }
        var isWide = false { didSet { update(field: "Wide", value: isWide) } }
        var isBig = false { didSet { update(field: "Big", value: isBig) } }
        var first: String { get { "" } set { update(field: "PreSharedKey", value: newValue) } }
        var second: String { get { "" } set { update(field: "Theme", value: newValue) } }
        func update(field: String, value: Any) {
          var all = load()
          all[field] = value
          let packed = try! JSONSerialization.data(withJSONObject: all)
          let text = String(data: packed, encoding: .utf8)
          keep(\(stored))
        }
        func keep(_ value: Any?) { SINK }
      }
      """
    let defaults = "UserDefaults.standard.set(value, forKey: \"config\")"
    #expect(
      try lines("userdefaults-sensitive", code.replacing("SINK", with: defaults)) == [5])
    let file = "try! (value as! Data).write(to: url)"
    if stored != "all" {
      #expect(try lines("plaintext-file", code.replacing("SINK", with: file)) == [5])
    }
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

  @Test func throughADictionaryThatAnotherMethodFills() throws {
    func code(_ fill: String) -> String {
      """
      final class Record {
        private var info: [String: Any] = [:]
        func fill(with text: String, at date: Date) { \(fill) }
        func save() { UserDefaults.standard.set(info, forKey: "info") }
      }
      """
    }
    let rule: RuleID = "userdefaults-sensitive"
    #expect(try lines(rule, code("info[\"password\"] = text")) == [4])
    #expect(try lines(rule, code("self.info[\"x\"] = passwordField.text")) == [4])
    #expect(try lines(rule, code("info.updateValue(passwordField.text!, forKey: \"x\")")) == [4])
    #expect(try lines(rule, code("info[\"passwordChanged\"] = date")) == [])
    #expect(try lines(rule, code("info[\"title\"] = text")) == [])
    #expect(try lines(rule, code("var info = info; info[\"password\"] = text")) == [])
  }

  @Test func throughTheDictionaryOfAnObjectiveCObject() throws {
    func found(_ fill: String) throws -> [Finding] {
      let code = """
        @implementation Record { NSMutableDictionary *_info; }
        - (void)fill:(NSString *)text { \(fill) }
        - (void)save { [[NSUserDefaults standardUserDefaults] setObject:_info forKey:@"info"]; }
        @end
        """
      return try Audit(tree: SourceTree(files: ["A.m": code])).run().findings.filter {
        $0.rule == "userdefaults-sensitive"
      }
    }
    #expect(try found("_info[@\"password\"] = text;").map(\.location.start.line) == [3])
    #expect(try found("[_info setObject:text forKey:@\"password\"];").count == 1)
    #expect(try found("[_info setObject:text forKey:@\"title\"];").isEmpty)
  }

  @Test func inTheConditionOfALoop() throws {
    func code(_ clause: String) -> String {
      """
      func keep(_ text: String) -> Bool { print(text); return true }
      func f(_ logins: [Login]) {
        for login in logins where \(clause) { count += 1 }
      }
      """
    }
    #expect(try lines("log-sensitive", code("keep(login.password)")) == [3])
    #expect(try lines("log-sensitive", code("keep(login.title)")) == [])
  }

  @Test(arguments: ["userdefaults-sensitive", "log-sensitive"] as [RuleID])
  func cookiesThatALoopChoosesByName(_ rule: RuleID) throws {
    func code(_ name: String) -> String {
      """
      func f() {
        for cookie in HTTPCookieStorage.shared.cookies! where cookie.name == "\(name)" {
          UserDefaults.standard.set(cookie.value, forKey: "x")
          print(cookie)
        }
      }
      """
    }
    #expect(try lines(rule, code("session_token")).count == 1)
    #expect(try lines(rule, code("theme")) == [])
  }

  @Test(arguments: [
    "print(places)", "print(places[0])", "let last = places.last!; print(last)",
    "print(\"\\(manager.location!)\")", "print(centre)", "print(places.last!.coordinate)",
    "print(latitude)",
  ])
  func aPlaceByItsType(_ statement: String) throws {
    func code(_ statement: String) -> String {
      """
      import CoreLocation
      func f(
        _ places: [CLLocation], _ manager: CLLocationManager, _ centre: CLLocationCoordinate2D,
        _ latitude: Double
      ) {
      \(statement)
      }
      """
    }
    let found = try Audit(tree: SourceTree(files: ["A.swift": code(statement)])).run().findings
    #expect(found.map(\.rule) == ["log-sensitive"])
    #expect(found.map(\.severity) == [.low])
  }

  @Test(arguments: [
    "print(places.count)", "print(places[0].timestamp)", "print(manager)",
    "print(CLLocation.self)", "print(places.isEmpty)", "print(places.last!.speed)",
    "NSLog(\"%@\", Place(city))",
  ])
  func whatIsNoPlace(_ statement: String) throws {
    let code = """
      import CoreLocation
      func f(_ places: [CLLocation], _ manager: CLLocationManager, _ city: Double) {
      \(statement)
      }
      """
    #expect(try lines("log-sensitive", code) == [])
  }

  /// The place of a shop is no more than a note of where the person is, even in a file that asks for both.
  @Test func aTypeAloneIsLow() throws {
    let code = """
      import CoreLocation
      func locationManager(_ manager: CLLocationManager, didUpdateLocations all: [CLLocation]) {}
      func keep(_ shop: CLLocationCoordinate2D) {
        NSLog("%@", "\\(shop)")
      }
      """
    let found = try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings
    #expect(found.filter { $0.rule == "log-sensitive" }.map(\.severity) == [.low])
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
