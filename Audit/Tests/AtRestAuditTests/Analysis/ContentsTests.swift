import AtRestAudit
import Testing

/// A dictionary contains what the code reads from it.
@Suite struct ContentsTests {
  private func finding(
    _ code: String, _ rule: RuleID = "log-sensitive", in path: String = "A.swift"
  ) throws -> Finding? {
    try Audit(tree: SourceTree(files: [path: code])).run().findings.first { $0.rule == rule }
  }

  @Test(arguments: [
    "func f(_ json: [String: Any]) { NSLog(\"%@\", json); keep(json[\"KEY\"]) }",
    "func f(_ json: NSDictionary) { NSLog(\"%@\", json); keep(json.value(forKey: \"KEY\")) }",
    "func f(_ data: Data) throws { let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]; NSLog(\"answer: \\(json)\"); keep(json?[\"KEY\"] as? String) }",
    "func f(_ json: [String: Any]) { NSLog(\"%@\", json); if let user = json[\"user\"] as? [String: Any] { keep(user[\"KEY\"]) } }",
    "func f(_ data: Data) throws { let json = try JSONSerialization.jsonObject(with: data) as! [String: Any]; NSLog(String(data: data, encoding: .utf8)!); keep(json[\"KEY\"]) }",
    "func f() { load { (json: [String: Any]) in NSLog(\"%@\", json); keep(json[\"KEY\"]) } }",
  ])
  func anAnswerThatIsLogged(code: String) throws {
    let found = try #require(try finding(code.replacing("KEY", with: "access_token")))
    #expect(found.severity == .low)
    #expect(found.trail.map(\.message).contains { $0.hasPrefix("is read from") })
    #expect(try finding(code.replacing("KEY", with: "theme")) == nil)
    let use =
      "\nfunc g(accessToken: String) { r.setValue(accessToken, forHTTPHeaderField: \"Authorization\") }"
    #expect(try finding(code.replacing("KEY", with: "access_token") + use)?.severity == .high)
  }

  @Test func anAnswerInObjectiveC() throws {
    func code(_ key: String) -> String {
      """
      @implementation Login
      - (void)got:(NSDictionary *)answer {
        NSLog(@"%@", answer);
        self.value = [answer objectForKey:@"\(key)"];
      }
      @end
      """
    }
    #expect(try finding(code("access_token"), in: "A.m") != nil)
    #expect(try finding(code("theme"), in: "A.m") == nil)
  }

  @Test func anAnswerThatIsStored() throws {
    let code = """
      func f(_ json: [String: Any]) {
        UserDefaults.standard.set(json, forKey: "answer")
        keep(json["access_token"])
      }
      """
    #expect(try finding(code, "userdefaults-sensitive") != nil)
    #expect(try finding(code.replacing("(json[", with: "(other["), "userdefaults-sensitive") == nil)
  }

  /// A store does not show what it stores, and what is written is not read.
  @Test(arguments: [
    "func f(_ keychain: Keychain) { print(keychain); keep(keychain[\"access_token\"]) }",
    "func f(_ defaults: UserDefaults) { print(defaults); keep(defaults.value(forKey: \"access_token\")) }",
    "func f(_ json: inout [String: Any]) { print(json); json[\"access_token\"] = nil }",
  ])
  func anObjectThatShowsNothing(code: String) throws {
    #expect(try finding(code) == nil)
  }
}
