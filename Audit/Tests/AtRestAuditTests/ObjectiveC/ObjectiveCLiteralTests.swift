import Testing

@Suite struct ObjectiveCLiteralTests {
  @Test(arguments: [
    (#"@"a""#, #""a""#),
    (#"@"""#, #""""#),
    (#"@"a" @"b""#, #""ab""#),
    (#"@"a" "b""#, #""ab""#),
    ("@\"a\"\n   @\"b\"", #""ab""#),
    (#"@"a\n\t\"\\""#, #""a\n\t\"\\""#),
    (#""\x41\102\0""#, #""AB\0""#),
    (#""\xFF\xFE""#, #""ÿþ""#),
    (#"@"\u00e9""#, "\"é\""),
    (#"@"%" PRIu64 @" x""#, #""%\(PRIu64) x""#),
    (#"PREFIX @"x""#, #""\(PREFIX)x""#),
    (#"L"x""#, #""x""#),
    ("'a'", #""a""#),
    (#"'\n'"#, #""\n""#),
    ("@'a'", #""a""#),
    ("@1", "1"),
    ("@-1", "-1"),
    ("@YES", "true"),
    ("@NO", "false"),
    ("@(x)", "x"),
    ("@(x + 1)", "(x + 1)"),
    ("@[]", "[]"),
    ("@[a, @[b]]", "[a, [b]]"),
    ("@[a, b,]", "[a, b]"),
    ("@{}", "[:]"),
    (#"@{@"a": @1, b: @{c: d},}"#, #"["a": 1, b: [c: d]]"#),
    (#"@{a: x ? y : z, b: [c d:e]}"#, "[a: (x ? y : z), b: c.d(e)]"),
    ("@{(__bridge id)kSecClass: (__bridge id)v}", "[kSecClass: v]"),
    ("nil", "nil"), ("Nil", "nil"), ("NULL", "nil"),
    ("YES", "true"), ("NO", "false"), ("true", "true"), ("false", "false"),
    ("0xCF", "0xCF"), ("10000u", "10000"), ("1UL", "1"), ("0x10UL", "0x10"), ("1.5f", "1.5"),
    ("1e-3", "1e-3"), ("-1", "-1"), (".5", ".5"), ("0xF", "0xF"),
  ])
  func literalIsReadAsItsValue(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.expression(text) == expected)
  }

  @Test func stringThatIsNotClosedEndsWithItsLine() {
    let text = ObjectiveCText.statements("a = @\"x\nb = @\"y\";")
    #expect(text == "a = \"x\"\nb = \"y\"\n!! 2")
  }

  @Test func lineThatGoesOnBehindABackslashIsOneString() {
    #expect(ObjectiveCText.expression("@\"a\\\nb\"") == "\"ab\"")
  }

  @Test(arguments: [
    ("int a[2] = {1, 2};", "var a: int[2] = [1, 2]"),
    ("uint8_t iv[16] = {0};", "var iv: uint8_t[16] = [0]"),
    ("char c[] = \"abc\";", "var c: char[] = \"abc\""),
    ("T t = { .a = 1, .b = {2, 3} };", "var t: T = [.a = 1, .b = [2, 3]]"),
    ("CGSize s = (CGSize){1, 2};", "var s: CGSize = [1, 2]"),
    ("int m[2][2] = {{1, 2}, {3, 4}};", "var m: int[2][2] = [[1, 2], [3, 4]]"),
  ])
  func bracesGiveAnArray(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.statements(text) == expected)
  }
}
