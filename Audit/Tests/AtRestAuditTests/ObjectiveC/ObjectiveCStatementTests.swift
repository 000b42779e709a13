import Testing

@Suite struct ObjectiveCStatementTests {
  @Test(arguments: [
    ("if (a) b();", "if a { b() }"),
    ("if (a) { b(); } else { c(); }", "if a { b() } else { c() }"),
    ("if (a) b(); else if (c) d(); else e();", "if a { b() } else { if c { d() } else { e() } }"),
    ("if ((self = [super init])) { a(); }", "if self = super.init() { a() }"),
    ("if (x * y < z) {}", "if ((x * y) < z) {}"),
    ("for (NSString *k in [d allKeys]) { f(k); }", "for k in d.allKeys() { f(k) }"),
    ("for (k in d) f(k);", "for k in d { f(k) }"),
    (
      "for (int i = 0, j = 1; i < 10; i++, j--) f(i);",
      "do { var i: int = 0; var j: int = 1; if (i < 10) { f(i); ++i; --j } }"
    ),
    ("for (;;) { break; }", "do { if  {} }"),
    ("while (a) { b(); continue; }", "if a { b() }"),
    ("do { a(); } while (b);", "do { a(); b }"),
    (
      "switch (a) { case 1: case 2: b(); break; case X ... Y: { c(); } default: d(); }",
      "switch a { case 1, 2: { b() }; case X, Y: { do { c() } }; case : { d() } }"
    ),
    (
      "@try { a(); } @catch (NSException *e) { b(e); } @finally { c(); }",
      "do { a() }\ndo { var e: NSException; b(e) }\ndo { c() }"
    ),
    ("@synchronized (self) { a(); }", "do { self; a() }"),
    ("@autoreleasepool { a(); }", "do { a() }"),
    ("@throw e;", "e"),
    ("{ a(); }", "do { a() }"),
    ("goto end; a(); end: b();", "a()\nb()"),
    ("return;", "return"),
    ("return a;", "return a"),
    ("return @{@\"a\": b};", "return [\"a\": b]"),
    ("a = 1, b = 2;", "a = 1\nb = 2"),
    (";", ""),
    ("__asm__ volatile(\"nop\");", ""),
    ("@weakify(self);", "@weakify(self)"),
    ("typedef int T; a();", "a()"),
    ("struct s { int a; } b; c();", "struct s { var a: int }\nvar b\nc()"),
    ("a() b();", "a()\nb()"),
  ])
  func statementIsRead(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.statements(text) == expected)
  }

  @Test(arguments: [
    ("NSString *x = @\"a\";", "var x: NSString = \"a\""),
    (
      "NSString *x = a, *y, *const z = b;",
      "var x: NSString = a\nvar y: NSString\nlet z: NSString = b"
    ),
    ("id<Foo> x = y;", "var x: id<Foo> = y"),
    ("NSDictionary<NSString *, id> *d = y;", "var d: NSDictionary<NSString *, id> = y"),
    ("NSArray<NSArray<id> *> *d;", "var d: NSArray<NSArray<id> *>"),
    ("__block int x;", "var x: int"),
    ("__weak typeof(self) w = self;", "var w: typeof(self) = self"),
    ("const char *c = x;", "let c: char = x"),
    ("static NSString * const k = @\"a\";", "static let k: NSString = \"a\""),
    ("unsigned long long n = 1;", "var n: unsigned long long = 1"),
    ("struct a b;", "var b: struct a"),
    ("auto x = y;", "var x: auto = y"),
    ("void (^done)(int) = ^(int x) { };", "var done: void (^)(int) = { x in }"),
    ("int (*f)(void) = g;", "var f: int (*)(void) = g"),
    ("NSError *__autoreleasing e = nil;", "var e: NSError = nil"),
    ("uint8_t key[kSize + 1];", "var key: uint8_t[kSize + 1]"),
    ("CFTypeRef r = NULL;", "var r: CFTypeRef = nil"),
    ("NSString *x __attribute__((unused)) = a;", "var x: NSString = a"),
    ("a * b = c;", "var b: a = c"),
    ("a = b * c;", "a = (b * c)"),
    ("a.b = c;", "a.b = c"),
    ("f(a);", "f(a)"),
  ])
  func declarationIsToldFromExpression(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.statements(text) == expected)
  }
}
