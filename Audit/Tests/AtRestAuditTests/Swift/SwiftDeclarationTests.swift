import AtRestAudit
import AtRestAuditSwift
import Testing

@Suite struct SwiftDeclarationTests {
  @Test(arguments: [
    ("import os.log\nimport class UIKit.UIView", "import os.log\nimport UIKit.UIView"),
    ("let a = 1\nvar b: [C]?", "let a = 1\nvar b: [C]"),
    ("var a: String { \"b\" }", "var a: String { func get()  { \"b\" } }"),
    (
      "var a: B { get { c } set(v) { d = v } }",
      "var a: B { func get()  { c }; func set(_ v)  { d = v } }"
    ),
    (
      "func f(a: Int = 1, b c: D!, _ e: inout F) async throws -> G? { h() }",
      "func f(a a: Int = 1, b c: D, _ e: F) -> G  { h() }"
    ),
    ("class A: B, C<D> { @IBOutlet weak var e: F! }", "class A: B, C<D> { @IBOutlet var e: F }"),
    (
      "@main struct A: App { @AppStorage(\"k\") private var b = \"\" }",
      "@main struct A: App { @AppStorage(\"k\") var b = \"\" }"
    ),
    (
      "enum E: String { case a = \"b\", c; static let d = 1 }",
      "enum E: String { static let d = 1; case static let a = \"b\"; case static let c }"
    ),
    (
      "enum E { case a(b: C, D?), e }",
      "enum E { case static let a(b b: C, _ : D); case static let e }"
    ),
    (
      "extension A.B where C: D { init?(x: Int) {}; deinit {}; subscript(i: Int) -> E { f } }",
      "extension B { func init(x x: Int)  {}; func deinit()  {}; func subscript(i i: Int) -> E  { do { f } } }"
    ),
    (
      "actor A { class func f()  {} }\nprotocol P { func g() }",
      "actor A { static func f()  {} }\nprotocol P { func g() }"
    ),
    ("struct A { struct B { let c = 1 } }", "struct A { struct B { let c = 1 } }"),
    (
      "#if DEBUG\nlet a = 1\nfunc f()  {}\n#endif\nlet b = 2",
      "#DEBUG let a = 1\nlet b = 2\n#DEBUG func f()  {}"
    ),
    ("print(a)", "print(a)"),
  ])
  func declarationIsRead(_ text: String, _ expected: String) {
    #expect(SwiftText.file(text) == expected)
  }

  @Test func placesAreThoseInTheFile() throws {
    let file = SwiftReader.read("// é\nlet token = \"x\"\n", path: "a.swift")
    let variable = try #require(file.variables.first)
    #expect(file.lines.position(of: variable.nameOffset) == Position(line: 2, column: 5))
    let value = try #require(variable.value)
    #expect(file.lines.position(of: value.range.lowerBound) == Position(line: 2, column: 13))
    #expect(file.lines.position(of: value.range.upperBound) == Position(line: 2, column: 16))
  }
}
