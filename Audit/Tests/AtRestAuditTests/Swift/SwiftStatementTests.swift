import Testing

@Suite struct SwiftStatementTests {
  @Test(arguments: [
    ("let a = b, c: D? = e", "let a = b\nlet c: D = e"),
    ("var (a, b) = f()", "var a = f().0\nvar b = f().1"),
    ("if a { b() }", "if a { b() }"),
    (
      "if a { b() } else if c { d() } else { e() }",
      "if a { b() } else { if c { d() } else { e() } }"
    ),
    ("if let a, let b = c { d() }", "if let a = a, let b = c { d() }"),
    ("guard let a = b else { return }\nc()", "if let a = b {} else { return }\nc()"),
    ("if case .some(let x) = y { z() }", "if y, let x = y.some.0/1 { z() }"),
    ("while let a = b() { c() }", "if let a = b() { c() }"),
    ("repeat { a() } while b", "do { a() }\nb"),
    (
      "for (a, b) in c { d() }",
      "for (a, b) in c { let a = (a, b).0; let b = (a, b).1; d() }"
    ),
    ("let (a, (b, _)) = c", "let a = c.0\nlet b = c.1.0"),
    ("let (a, b): (Int, [C]) = d", "let a: Int = d.0\nlet b: [C] = d.1"),
    ("for a in b where c { d() }", "for a in b { if c { d() } }"),
    ("do { try a() } catch { b() }", "do { a() }\ndo { b() }"),
    ("defer { a() }", "do { a() }"), ("throw a", "a"), ("return", "return"),
    (
      "switch a { case .b, .c(let x): d(x)\ndefault: e() }",
      "switch a { case .b, .c(~()): { let x = a.c.0/1; d(x) }; case : { e() } }"
    ),
    ("x: for a in b {}", "for a in b {}"),
    ("func g(_ a: Int) -> B? { a }", "func g(_ a: Int) -> B  { a }"),
    ("struct S { let a = 1 }", "struct S { let a = 1 }"),
  ])
  func statementIsRead(_ text: String, _ expected: String) {
    #expect(SwiftText.statements(text) == expected)
  }

  @Test func whatIsCompiledUnderAConditionSaysSo() {
    #expect(
      SwiftText.statements("#if DEBUG\na()\n#elseif os(Linux)\nb()\n#else\nc()\n#endif")
        == """
        #if DEBUG { a() }
        #if !(DEBUG) && os(Linux) { b() }
        #if !(DEBUG) && !(os(Linux)) { c() }
        """)
  }
}
