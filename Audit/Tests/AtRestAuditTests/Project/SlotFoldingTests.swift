import AtRestAudit
import Testing

/// What the code stores in one place is one finding, wherever the code writes it.
@Suite struct SlotFoldingTests {
  private func findings(_ code: String, _ rule: RuleID = "userdefaults-sensitive") throws
    -> [Finding]
  {
    try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.filter { $0.rule == rule }
  }

  /// A function of the project's own that stores a value under a key.
  private static let wrapper = """
    enum Preference {
      static func set(_ value: String?, key: String) {
        UserDefaults.standard.set(value, forKey: key)
      }
    }
    """

  @Test func aKeyThatAFunctionGetsIsOnePlace() throws {
    func code(_ first: String, _ second: String) -> String {
      """
      \(Self.wrapper)
      struct Login { func keep() { Preference.set(passwordField.text, key: \(first)) } }
      struct Change { func keep() { Preference.set(newPasswordField.text, key: \(second)) } }
      """
    }
    let same = try findings(code("\"lock\"", "\"lock\""))
    #expect(same.count == 1)
    #expect(same.first?.places.map(\.start.line) == [7])
    #expect(try findings(code("\"lock\"", "\"other\"")).count == 2)
    // Keys that are not known can be any.
    #expect(try findings(code("first()", "second()")).count == 2)
  }

  @Test func theSuiteIsPartOfThePlace() throws {
    func code(_ suite: String) -> String {
      """
      struct A { func f() { UserDefaults.standard.set(passwordField.text, forKey: "lock") } }
      struct B { func f() { \(suite).set(oldPasswordField.text, forKey: "lock") } }
      """
    }
    #expect(try findings(code("UserDefaults.standard")).count == 1)
    #expect(try findings(code("UserDefaults(suiteName: \"group.x\")!")).count == 2)
  }

  @Test func aPlaceWithSeveralKindsOfValueHasAFindingForEach() throws {
    let code = """
      \(Self.wrapper)
      struct A { func f() { Preference.set(passwordField.text, key: "last") } }
      struct B { func f() { Preference.set(cardNumberField.text, key: "last") } }
      """
    #expect(try findings(code).count == 2)
  }

  @Test func aFileIsOnePlace() throws {
    func code(_ name: String) -> String {
      """
      struct A { func f() throws { try passwordField.text!.write(toFile: folder + "/login.txt", atomically: true, encoding: .utf8) } }
      struct B { func f() throws { try newPasswordField.text!.write(toFile: folder + "/\(name)", atomically: true, encoding: .utf8) } }
      """
    }
    #expect(try findings(code("login.txt"), "plaintext-file").count == 1)
    #expect(try findings(code("other.txt"), "plaintext-file").count == 2)
  }
}
