import Testing

@Suite struct SwiftDirectiveTests {
  @Test func commentsThatSpeakToTheAuditorAreRead() {
    let text = SwiftText.file(
      """
      let a = 1 // atrest:ignore hardcoded-key a reason
      // atrest:ignore log-sensitive another
      let b = 2
      /* atrest:ignore-file x */ let c = 3
      /// atrest:note
      let d = 4
      """)
    #expect(text.contains("// 1+ ignore hardcoded-key a reason"))
    #expect(text.contains("// 2 ignore log-sensitive another"))
    #expect(text.contains("// 4 ignore-file x"))
    #expect(text.contains("// 5 note"))
  }

  /// Control: the same words in a string, or later in a comment, are not a directive.
  @Test func textsAreNoComments() {
    #expect(!SwiftText.file("let a = \"// atrest:ignore x y\"").contains("// 1"))
    #expect(!SwiftText.file("let a = 1 // see atrest:ignore").contains("// 1"))
  }
}
