import Testing

@Suite struct ObjectiveCPreprocessorTests {
  @Test func importsAreNamedAsWritten() {
    let text = """
      #import <UIKit/UIKit.h>
      #include "Login.h" // why
      #  import <CommonCrypto/CommonCrypto.h>
      @import Security;
      """
    #expect(
      ObjectiveCText.file(text) == """
        import UIKit/UIKit.h
        import Login.h
        import CommonCrypto/CommonCrypto.h
        import Security
        """)
  }

  @Test(arguments: [
    ("#define K @\"a\"", "let K = \"a\""),
    ("#define K (1 << \\\n 2)", "let K = (1 << 2)"),
    ("#define K", ""),
    ("#define BEGIN @interface A {", ""),
    ("#define F(x) [x y]", "func F(_ x) { x.y() }"),
    (
      "#define DLog(f, ...) NSLog((@\"%s \" f), __func__, ##__VA_ARGS__)",
      "func DLog(_ f, _ __VA_ARGS__) { NSLog(\"%s \\(f)\", __func__, __VA_ARGS__) }"
    ),
    ("#define F(x) do { a(x); } while (0)", "func F(_ x) { do { a(x); 0 } }"),
    ("#pragma mark - it's\nint a;", "var a: int"),
    ("#error don't\nint a;", "var a: int"),
  ])
  func macroIsReadIfItIsCode(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file(text).replacing("  {", with: " {") == expected)
  }

  @Test func declarationsHaveTheirCondition() {
    let text = """
      #ifndef A_H
      #define A_H
      int a;
      #ifdef DEBUG
      int b;
      #define K 1
      #elif defined(BETA) && X
      int c;
      #else
      int d;
      #endif
      #if defined(X) || Y
      @interface A
      #if !Z
      - (void)f;
      #endif
      @end
      #endif
      int e;
      #endif
      """
    #expect(
      ObjectiveCText.file(text) == """
        #DEBUG let K = 1
        var a: int
        #DEBUG var b: int
        #BETA && X var c: int
        #!DEBUG && !(BETA && X) var d: int
        var e: int
        class A { #(X || Y) && !Z func f() -> void }
        """)
  }

  @Test(arguments: [
    ("#if DEBUG\na();\n#else\nb();\n#endif\nc();", "#if DEBUG { a() }\n#if !DEBUG { b() }\nc()"),
    ("#ifndef DEBUG\na();\n#if X\nb();\n#endif\n#endif", "#if !DEBUG { a(); #if X { b() } }"),
    ("if (x)\n#if A\na();\n#else\nb();\n#endif", "if x { #if A { a() }; #if !A { b() } }"),
    ("f(a,\n#if A\nb\n#else\nc\n#endif\n);", "f(a, b, c)"),
    ("#if A\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}\nd();", "if a { if b { c() } }\nd()"),
    (
      "if (a) {\nb();\n#if X\n} else if (c) {\nd();\n#endif\n}\ne();",
      "if a { b() } else { if c { d() } }\ne()"
    ),
    (
      "switch (x) {\n#if A\ncase 1: a();\n#endif\ndefault: b();\n}",
      "switch x { case 1: { a() }; case : { b() } }"
    ),
    ("#if A\n#endif\na();", "a()"),
    ("#if A\n", ""),
  ])
  func statementsHaveTheirCondition(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.statements(text) == expected)
  }

  @Test(arguments: [
    (
      "#if 0\nint a; it's\n#if 1\n#else\n#endif\n#else\nint b;\n#endif\nint c;",
      "var b: int\nvar c: int"
    ),
    ("#if 1\nint a;\n#elif X\nint b;\n#else\nint c;\n#endif", "var a: int"),
    ("#if 0\n@\"\n", ""),
    ("#endif\n#else\n#elif X\nint a;", "var a: int"),
  ])
  func whatIsNeverCompiledIsLeftOut(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.file(text) == expected)
  }

  @Test func alternativeHeadOfAMethodIsLeftOut() {
    let text = """
      @implementation A
      #if X
      - (int)a {
      #else
      - (void)a {
      #endif
        b();
      }
      - (void)c { d(); }
      @end
      """
    #expect(
      ObjectiveCText.file(text)
        == "class A { #X func a() -> int  { b() }; func c() -> void  { d() } }")
  }

  @Test func alternativeWithCodeIsToldOf() {
    let text = """
      #if X
      void a() { b();
      #else
      void a() { c();
      #endif
      }
      """
    #expect(
      ObjectiveCText.file(text)
        == "#X func a() -> void  { b() }\n!! 4 The alternative under #else was left out.")
  }

  @Test func languageLinkageIsPassedOver() {
    let text = """
      #ifdef __cplusplus
      extern "C" {
      #endif
      int a(void);
      #ifdef __cplusplus
      }
      #endif
      """
    #expect(ObjectiveCText.file(text) == "func a() -> int")
  }
}
