import Testing

@Suite struct ObjectiveCDirectiveTests {
  @Test func commentsThatSpeakToTheAuditorAreKept() {
    let text = """
      // atrest:ignore log-sensitive it is public
      int a; // atrest:ignore hardcoded-key a test vector
      /* atrest:ignore one
         more */ int b; /// atrest: two
      // not atrest:ignore three
      #define K 1 // atrest:ignore four
      NSString *c = @"// atrest:ignore five";
      #if 0
      // atrest:ignore six
      #endif
      int d; /* atrest:ignore seven */
      /* long
       */ // atrest:ignore eight
      """
    #expect(
      ObjectiveCText.file(text).split(separator: "\n").filter { $0.hasPrefix("// ") } == [
        "// 1 ignore log-sensitive it is public",
        "// 2+ ignore hardcoded-key a test vector",
        "// 3 ignore one",
        "// 4+ two",
        "// 6+ ignore four",
        "// 11+ ignore seven",
        "// 13 ignore eight",
      ])
  }
}
