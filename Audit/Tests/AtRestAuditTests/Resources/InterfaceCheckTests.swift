import AtRestAudit
import AtRestAuditResources
import Testing

@Suite struct InterfaceCheckTests {
  private func rules(
    _ views: String, outlets: [String: String] = [:], runtime: String = "iOS.CocoaTouch",
    code: InterfaceCode = InterfaceCode()
  ) -> [String] {
    ResourceSamples.rules(
      ["Login.xib": ResourceSamples.xib(outlets: outlets, runtime: runtime, views)], code: code)
  }

  private static let off = #"autocorrectionType="no""#
  private static let secure = #"secureTextEntry="YES""#

  // MARK: secure-text-entry-missing

  @Test(arguments: [
    ("passwordTextField", ""), ("txt_pwd", ""), ("cvvTextField", ""),
    ("field", #"placeholder="PIN""#),
    ("field", #"userLabel="Passwort""#), ("accessTokenField", ""),
  ])
  func `A field for a secret that is shown is found`(_ outlet: String, _ attributes: String) {
    let found = rules(
      ResourceSamples.field("f", attributes, traits: Self.off), outlets: [outlet: "f"])
    #expect(found == ["secure-text-entry-missing"])
  }

  @Test func `A field whose label asks for a secret is found`() {
    let views =
      ResourceSamples.label("Passcode", frame: (20, 75))
      + ResourceSamples.field("f", traits: Self.off)
    #expect(rules(views) == ["secure-text-entry-missing"])
  }

  @Test func `A plain field of AppKit for a password is found`() {
    let views = """
      <textField id="f"><textFieldCell key="cell" editable="YES" placeholderString="Password"/></textField>
      """
    #expect(rules(views, runtime: "MacOSX.Cocoa") == ["secure-text-entry-missing"])
  }

  @Test(arguments: [
    ("passwordTextField", "", secure), ("oneTimeCodeField", "", off),
    ("codeField", #"placeholder="Verification code""#, off), ("cardNumberField", "", off),
    ("usernameField", "", off), ("passwordHintField", "", off), ("searchField", "", off),
    ("passwordField", #"enabled="NO""#, ""),
    ("selectTokenField", "", off), ("field", #"placeholder="Token Symbol""#, off),
    ("publicSecretField", "", off), ("field", #"placeholder="Password hints (optional)""#, off),
    ("field", #"placeholder="//hard/soft///password""#, off),
    ("nameField", #"customClass="PWTextField""#, off),
  ])
  func `A field that is secure, or need not be, is none`(
    _ outlet: String, _ attributes: String, _ traits: String
  ) {
    #expect(
      rules(ResourceSamples.field("f", attributes, traits: traits), outlets: [outlet: "f"]).isEmpty)
  }

  @Test func `A label that speaks of another field says nothing`() {
    let views =
      ResourceSamples.label("Password", frame: (20, 75))
      + ResourceSamples.field("f", #"placeholder="Username""#, traits: Self.off)
    #expect(rules(views).isEmpty)
  }

  @Test func `A point that is there for AutoFill is none`() {
    let views = """
      <textField id="f"><rect key="frame" x="1" y="1" width="1" height="1"/>\
      <textInputTraits key="textInputTraits" textContentType="password"/></textField>
      """
    #expect(rules(views).isEmpty)
  }

  @Test func `The plain twin of a secure field is none`() {
    let views = """
      <textField id="a"><textFieldCell key="cell" editable="YES"/></textField>
      <secureTextField id="b"><secureTextFieldCell key="cell" editable="YES"/></secureTextField>
      """
    let outlets = ["passwordTextField": "a", "passwordSecureTextField": "b"]
    #expect(rules(views, outlets: outlets, runtime: "MacOSX.Cocoa").isEmpty)
  }

  // MARK: autocorrection-not-disabled

  @Test(arguments: [
    ("cardNumberField", ""), ("ssnField", ""), ("sessionTxtField", secure + " "),
    ("creditNumberTextField", #"autocorrectionType="yes""#), ("diseaseField", ""),
    ("securityAnswerField", #"keyboardType="alphabet""#),
  ])
  func `A field that the keyboard learns from is found`(_ outlet: String, _ traits: String) {
    let found = rules(ResourceSamples.field("f", traits: traits), outlets: [outlet: "f"])
    #expect(found.contains("autocorrection-not-disabled") == !traits.contains("secureTextEntry"))
  }

  @Test func `The answer to a question of security is found by its label`() {
    let views =
      ResourceSamples.label("In what city were you born?", frame: (20, 75))
      + ResourceSamples.field("f")
    #expect(rules(views) == ["autocorrection-not-disabled"])
  }

  @Test(arguments: [
    off, secure, #"keyboardType="numberPad""#, #"keyboardType="asciiCapableNumberPad""#,
    #"keyboardType="emailAddress""#, #"textContentType="username""#,
  ])
  func `A field that is not corrected is none`(_ traits: String) {
    #expect(rules(ResourceSamples.field("f", traits: traits), outlets: ["ssnField": "f"]).isEmpty)
  }

  @Test func `A field for nothing of value is none`() {
    #expect(rules(ResourceSamples.field("f"), outlets: ["searchField": "f"]).isEmpty)
    #expect(rules(ResourceSamples.field("f", #"placeholder="Add a comment""#)).isEmpty)
  }

  // MARK: hardcoded-credential

  @Test(arguments: [
    ("passwordField", "hotey"), ("pinField", "1234"), ("ssnField", "111-22-3344"),
    ("apiKeyField", "a81bc81bdead4e5d"),
  ])
  func `A secret that stands in a field is found`(_ outlet: String, _ text: String) {
    let traits = Self.secure
    let found = rules(
      ResourceSamples.field("f", #"text="\#(text)""#, traits: traits), outlets: [outlet: "f"])
    #expect(found == ["hardcoded-credential"])
  }

  @Test(arguments: [
    ("passwordField", "Password"), ("passwordField", "••••••"), ("passwordField", ""),
    ("cardField", "1234 5678 9012 3456"), ("pinField", "0000"),
    ("passwordField", "Enter your password"),
  ])
  func `A field that shows what it is for holds no secret`(_ outlet: String, _ text: String) {
    let traits = Self.secure
    #expect(
      rules(ResourceSamples.field("f", #"text="\#(text)""#, traits: traits), outlets: [outlet: "f"])
        .isEmpty)
  }

  // MARK: Code and languages

  @Test func `Of a file in several languages one is judged`() {
    let text = ResourceSamples.xib(
      outlets: ["passwordField": "f"], ResourceSamples.field("f", traits: Self.off))
    let files = ["Base.lproj/A.xib": text, "de.lproj/A.xib": text, "fr.lproj/A.xib": text]
    #expect(ResourceSamples.rules(files) == ["secure-text-entry-missing"])
  }

  @Test func `What code decides of a field counts`() {
    let views = ResourceSamples.field("f")
    let outlets = ["passwordField": "f"]
    let secured = Self.code("LoginController", "passwordField", "isSecureTextEntry", .boolean(true))
    #expect(rules(views, outlets: outlets, code: secured).isEmpty)
    let other = Self.code("OtherController", "passwordField", "isSecureTextEntry", .boolean(true))
    #expect(rules(views, outlets: outlets, code: other).count == 2)
    let shown = Self.code("LoginController", "passwordField", "isSecureTextEntry", .boolean(false))
    #expect(rules(views, outlets: outlets, code: shown).count == 2)
    let corrected = Self.code(
      "LoginController", "passwordField", "autocorrectionType", .member(nil, "no"))
    #expect(rules(views, outlets: outlets, code: corrected) == ["secure-text-entry-missing"])
  }

  @Test func `A field of a class that makes itself secure is none`() {
    let views = ResourceSamples.field("f", #"customClass="HiddenField""#)
    let code = Self.code("HiddenField", nil, "isSecureTextEntry", .boolean(true))
    #expect(rules(views, outlets: ["passwordField": "f"], code: code).isEmpty)
  }

  @Test func `What code decides of several fields in a loop counts`() {
    let views = ResourceSamples.field("f", traits: Self.off)
    let outlets = ["passwordField": "f"]
    let list = Expression(
      .array([Expression(.name("nameField"), 0..<1), Expression(.name("passwordField"), 0..<1)]),
      0..<1)
    func secures(_ name: String) -> Statement {
      let target = Expression(.member(Expression(.name(name), 0..<1), "isSecureTextEntry"), 0..<1)
      let value = Expression(.boolean(true), 0..<1)
      return .expression(Expression(.assignment(target, operator: "=", value), 0..<1))
    }
    let loop = Statement.loop(["field"], list, Block([secures("field")]))
    let closure = Expression(
      .closure(Closure(parameters: [], body: Block([secures("$0")]))), 0..<1)
    let call = Expression(
      .call(Expression(.member(list, "forEach"), 0..<1), [Argument(nil, closure)]), 0..<1)
    let setter = Expression(
      .call(
        Expression(.member(Expression(.name("passwordField"), 0..<1), "setSecureTextEntry"), 0..<1),
        [Argument(nil, Expression(.boolean(true), 0..<1))]), 0..<1)
    let property = Expression(
      .member(Expression(.name("passwordField"), 0..<1), "isSecureTextEntry"), 0..<1)
    let toggle = Expression(.call(Expression(.member(property, "toggle"), 0..<1), []), 0..<1)
    for statement in [loop, .expression(call), .expression(setter), .expression(toggle)] {
      let code = Self.code("LoginController", [statement])
      #expect(rules(views, outlets: outlets, code: code).isEmpty)
    }
  }

  /// Returns a class with one method that sets a property of a field, or of the class itself.
  private static func code(
    _ type: String, _ field: String?, _ property: String, _ value: Expression.Kind
  ) -> InterfaceCode {
    let base = field.map { Expression(.name($0), 0..<1) }
    let target = Expression(base.map { .member($0, property) } ?? .name(property), 0..<1)
    let assignment = Expression(.assignment(target, operator: "=", Expression(value, 0..<1)), 0..<1)
    return code(type, [.expression(assignment)])
  }

  private static func code(_ type: String, _ statements: [Statement]) -> InterfaceCode {
    let function = Function(
      name: "viewDidLoad", body: Block(statements), range: 0..<1, nameOffset: 0)
    let declaration = TypeDeclaration(
      form: .class, name: type, inherited: ["UIViewController"], functions: [function],
      range: 0..<1,
      nameOffset: 0)
    return InterfaceCode([
      SourceFile(path: "a.swift", language: .swift, types: [declaration], lines: LineTable([]))
    ])
  }
}
