import Testing

@Suite struct SwiftExpressionTests {
  @Test(arguments: [
    ("a.b.c", "a.b.c"), (".b", ".b"), ("Int.self", "Int"), ("self.a", "self.a"),
    ("a?.b!.c", "a.b.c"), ("try? await a.b()", "a.b()"), ("(a)", "a"), ("&a", "&a"),
    ("f(a, b: c)", "f(a, b: c)"), ("f { a }", "f({ a })"),
    ("f(a) { x in b } c: { d }", "f(a, { x in b }, c: { d })"),
    ("a[b]", "a[b]"), ("a[b, c: d]", "a[b, c: d]"), ("[UInt8](a)", "[UInt8](a)"),
    ("Array<Int>()", "Array()"), ("(a, b: c)", "(a, b: c)"),
    ("#selector(a.b)", "#selector(a.b)"), ("#file", "#file"), ("super.f()", "super.f()"),
    ("`default`", "default"), ("{ (a: Int, b c: Int) -> Int in a }", "{ a, c in a }"),
  ])
  func namesAndCallsAreRead(_ text: String, _ expected: String) {
    #expect(SwiftText.expression(text) == expected)
  }

  @Test(arguments: [
    ("\"a\"", "\"a\""), ("\"\"", "\"\""), ("\"a\\n\\u{e9}\\\"\"", "\"a\\n\u{e9}\\\"\""),
    ("#\"a\\n\"#", "\"a\\\\n\""), ("\"a\\(b)c\"", "\"a\\(b)c\""),
    ("\"\\(a, privacy: .private)\"", "\"\\(a, privacy: .private)\""),
    ("\"\"\"\n  a\n  b\n  \"\"\"", "\"a\\nb\""),
    ("-1", "-1"), ("0xCF", "0xCF"), ("1_000", "1_000"), ("true", "true"), ("nil", "nil"),
    ("[a, b]", "[a, b]"), ("[a: b]", "[a: b]"), ("[:]", "[:]"), ("[]", "[]"),
  ])
  func literalsAreRead(_ text: String, _ expected: String) {
    #expect(SwiftText.expression(text) == expected)
  }

  @Test(arguments: [
    ("a + b * c", "(a + (b * c))"), ("a * b + c", "((a * b) + c)"), ("a - b - c", "((a - b) - c)"),
    ("a == x && b == y", "((a == x) && (b == y))"),
    ("a || b && c == d ?? e ?? f", "(a || (b && (c == (d ?? (e ?? f)))))"),
    ("a <~> b == c", "(a <~> (b == c))"), ("a += b + c", "a += (b + c)"),
    ("a = b && c ? d : e || f", "a = ((b && c) ? d : (e || f))"), ("a << b * c", "((a << b) * c)"),
    ("a ?? b", "(a ?? b)"), ("!a", "!a"),
    ("a as? B", "(a as B)"), ("a is B", "(a as B)"), ("a + b as C", "((a + b) as C)"),
    ("a == b as C ?? d", "(a == ((b as C) ?? d))"),
    ("a ? b : c", "(a ? b : c)"), ("a == b ? c : d + e", "((a == b) ? c : (d + e))"),
    ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    ("if a { b } else { c }", "(~() ? b : c)"),
    ("switch a { case .b: c; default: d }", "(a ? c : d)"),
  ])
  func operatorsAreFolded(_ text: String, _ expected: String) {
    #expect(SwiftText.expression(text) == expected)
  }

  @Test(arguments: [
    ("a = b", "a = b"), ("a.b += c ?? d", "a.b += (c ?? d)"),
    ("a[\"k\"] = b as C", "a[\"k\"] = (b as C)"),
    ("_ = f()", "_ = f()"), ("a >= b", "(a >= b)"), ("a != b", "(a != b)"),
  ])
  func assignmentsAreToldFromComparisons(_ text: String, _ expected: String) {
    #expect(SwiftText.statements(text) == expected)
  }
}
