import AtRestAudit
import AtRestAuditObjectiveC
import Foundation
import Testing

@Suite struct ObjectiveCRobustnessTests {
  private static let sample = Array(ObjectiveCSample.text.utf8)

  /// A debug build is about a hundred times slower, so it tries only one file in ten.
  private static var step: Int {
    #if DEBUG
      10
    #else
      1
    #endif
  }

  @Test func sampleIsReadWithoutASkip() {
    let file = ObjectiveCReader.read(ObjectiveCSample.text, path: "a.m")
    #expect(file.skipped.isEmpty)
    #expect(file.lines.count >= 190)
    #expect(file.types.map(\.name).contains("Login"))
    #expect(file.types.last { $0.name == "Login" }?.functions.count == 8)
    #expect(file.functions.last?.name == "main")
    #expect(!ModelText.of(file).contains("~("))
  }

  /// Reads a file, and checks the lines and ranges of everything that was read.
  private func check(_ bytes: [UInt8], path: String = "a.m") {
    let file = ObjectiveCReader.read(bytes, path: path)
    let lines = 1...file.lines.count
    #expect(file.skipped.allSatisfy { $0.line.map(lines.contains) == true })
    let end = Int32(bytes.count)
    #expect(ModelRanges.of(file).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= end })
  }

  @Test func fileMayEndAnywhere() {
    for end in stride(from: 0, to: Self.sample.count, by: Self.step) {
      check(Array(Self.sample[..<end]))
    }
  }

  @Test func fileMayBeginAnywhere() {
    for start in stride(from: 0, to: Self.sample.count, by: 7 * Self.step) {
      check(Array(Self.sample[start...]))
    }
  }

  @Test(arguments: 0..<5) func anyChangeIsSurvived(_ part: Int) {
    var random = SeededRandom(seed: UInt64(6 + part))
    for round in 0..<(1000 / Self.step) {
      check(Mutation.of(Self.sample, &random), path: round % 4 == 0 ? "a.mm" : "a.m")
    }
  }

  @Test(arguments: [
    "[", "(", "{", "@[", "@{", "@(", "^{", "[a ", "f(", "a[", "!", "- ", "*", "(int)", "a = ",
    "a ? ", "a ?: ", "if (a) ", "for (;;) ", "for (a in ", "while (", "do ",
    "switch (a) { case 1: ",
    "{ ", "else ", "a.", "a->", "a + ", "@try { ", "@interface A ", "struct a { ", "typedef ",
    "namespace a { ", "template <", "a<", "#if A\n", "#if 0\n", "#define A \\\n", "\"", "@\"",
    "'", "/*", "//", "@", "(a)", "a:", "@selector(", "^(", "({ ", "]", ")", "}", "[]{", "a::",
    "- (a)b:", "@property (", "enum { a = ", "<", "unsigned ", "x;#\n", "if (a) {} else ",
    "[a b:^{ ", "@{a: ", "a, ", "\\\n", "R\"(", "int a = {",
  ])
  func anyDepthIsSurvived(_ piece: String) {
    let deep = String(repeating: piece, count: Self.step == 1 ? 100_000 : 300)
    for text in [deep, "void f() { \(deep)", "@implementation A\n- (void)a {\n\(deep)\n}\n@end"] {
      let file = ObjectiveCReader.read(text, path: "a.mm")
      #expect(ModelRanges.of(file).allSatisfy { $0.upperBound <= Int32(text.utf8.count) })
    }
  }

  /// Code that is nested too deep is skipped and reported, and the code around it is read.
  @Test func depthIsToldOf() {
    let deep = String(repeating: "[", count: 1000) + "x" + String(repeating: " y]", count: 1000)
    let file = ObjectiveCReader.read("int a;\nvoid f() {\n\(deep);\nb();\n}\nint c;", path: "a.m")
    #expect(file.skipped.map(\.line) == [3])
    #expect(file.variables.map(\.name) == ["a", "c"])
    #expect(file.functions[0].body?.statements.count == 2)
  }

  @Test func mistakeStaysInItsMethod() {
    let text = """
      @implementation A
      - (void)a { [x y:)]; if ( ] }
      - (void)b { c(); }
      @end
      @implementation D
      - (void)e { f({ [( }
      - (void)g { }
      @end
      void h() { i(); }
      """
    let file = ObjectiveCReader.read(text, path: "a.m")
    #expect(file.types.map(\.name) == ["A", "D"])
    #expect(file.types[0].functions.map(\.name) == ["a", "b"])
    #expect(file.functions.map(\.name) == ["h"])
    #expect(!file.skipped.isEmpty)
  }

  @Test func skipsAreFew() {
    let text = String(repeating: ") ] ) ]\n", count: 10_000)
    #expect(ObjectiveCReader.read(text, path: "a.m").skipped.count == 100)
  }

  @Test func textInUTF16IsToldOf() {
    let file = ObjectiveCReader.read([0xFF, 0xFE, 0x61, 0x00], path: "a.m")
    #expect(file.skipped == [Skip(path: "a.m", reason: "The file is in UTF-16.")])
  }

  @Test func bytesMayBeHeldAnyHow() {
    let text = "int a;"
    for file in [
      ObjectiveCReader.read(text, path: "a.m"), ObjectiveCReader.read(Data(text.utf8), path: "a.m"),
      ObjectiveCReader.read(Array(text.utf8), path: "a.m"),
      ObjectiveCReader.read([0xEF, 0xBB, 0xBF] + Array(text.utf8), path: "a.m"),
    ] {
      #expect(file.variables.map(\.name) == ["a"])
    }
  }
}
