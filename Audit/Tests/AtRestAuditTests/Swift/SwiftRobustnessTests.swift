import AtRestAudit
import AtRestAuditSwift
import Testing

@Suite struct SwiftRobustnessTests {
  private static let sample = Array(SwiftSample.text.utf8)

  /// A debug build is about a hundred times slower, so it tries only one file in twenty.
  private static var step: Int {
    #if DEBUG
      20
    #else
      1
    #endif
  }

  /// Reads a file, checks the lines and ranges of everything that was read, and analyses it.
  private func check(_ bytes: [UInt8]) {
    let file = bytes.withUnsafeBufferPointer { SwiftReader.read($0, path: "a.swift") }
    let lines = 1...file.lines.count
    #expect(file.skipped.allSatisfy { $0.line.map(lines.contains) ?? true })
    let end = Int32(bytes.count)
    #expect(ModelRanges.of(file).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= end })
    let findings = Analysis([Analysis.File(file)]).findings()
    #expect(findings.allSatisfy { lines.contains($0.location.start.line) })
  }

  @Test func sampleIsReadWithoutASkip() {
    let file = SwiftReader.read(SwiftSample.text, path: "a.swift")
    #expect(file.skipped.isEmpty)
    #expect(!Analysis([Analysis.File(file)]).findings().isEmpty)
  }

  /// Swift accepted the space before version 6.
  @Test(arguments: ["@available (iOS 14, *)", "@available  (iOS 14, macOS 11, *) @MainActor"])
  func anAttributeWithASpaceIsRead(_ attribute: String) {
    let text = "import UIKit\n\(attribute)\nfinal class A { func f() {} }\n"
    let file = SwiftReader.read(text, path: "a.swift")
    #expect(file.skipped.isEmpty)
    #expect(file.types.map(\.name) == ["A"])
    #expect(file.types.first.map { file.location(of: $0.range).end.line } == 3)
  }

  @Test func aConditionWithASpaceIsRead() {
    let text = "func f() { if #available (iOS 14, *) { g() } else if #unavailable (iOS 9) { } }"
    #expect(SwiftReader.read(text, path: "a.swift").skipped.isEmpty)
  }

  @Test func anAttributeWithoutAnEndIsReported() {
    let file = SwiftReader.read("@available (iOS 14, *\nclass A {}", path: "a.swift")
    #expect(!file.skipped.isEmpty)
  }

  @Test func fileMayEndAnywhere() {
    for end in stride(from: 0, to: Self.sample.count, by: 3 * Self.step) {
      check(Array(Self.sample[..<end]))
    }
  }

  @Test(arguments: 0..<4) func anyChangeIsSurvived(_ part: Int) {
    var random = SeededRandom(seed: UInt64(60 + part))
    for _ in 0..<(1000 / Self.step) { check(Mutation.of(Self.sample, &random)) }
  }

  @Test func whatIsBrokenIsToldOf() {
    let file = SwiftReader.read("func f() {\n  let = = 3 )\n}\nlet b = 2", path: "a.swift")
    #expect(file.skipped.contains { $0.line == 2 })
    #expect(SwiftReader.read("let a = 1", path: "a.swift").skipped.isEmpty)
  }

  @Test(arguments: [
    "[", "(", "{", "f(", "{ a in ", "if a { ", "!", "a ? ", "\"\\(", "struct A { ", "x.map { ",
    "switch a { case b: ", "#if A\n", "a + ", "a = ", "a.", "a[", "as ", "-", "&", "else if a {} ",
  ])
  func anyDepthIsSurvived(_ piece: String) throws {
    for count in [300, 3000] {
      let deep = "func f() {\n" + String(repeating: piece, count: count)
      let report = try Audit(tree: SourceTree(files: ["a.swift": deep])).run()
      #expect(report.statistics.files == 1)
    }
  }

  @Test func depthIsToldOf() throws {
    let deep =
      "let a = " + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    let report = try Audit(tree: SourceTree(files: ["a.swift": "\n" + deep])).run()
    #expect(report.skipped.map(\.line) == [2])
  }

  /// The analysis ends for names that refer to themselves and functions that call each other.
  @Test func circlesEnd() throws {
    let circle = """
      class P { func f() -> P { let y = y.f().g(); return y.f() }; func g() -> P { f().g() } }
      class Q { func f() -> Q { let z = z.g().f(); return z.f() }; func g() -> Q { g().f() } }
      class R { var a = b; var b = c.a; var c = a.f(); func f() { print(a.b.c.f()); x = y; y = x } }
      func h(_ v: Any) { h(v); print(h(v)); SecItemAdd(q(v), nil) }
      func q(_ v: Any) -> [String: Any] { return q(q(v)) }
      """
    _ = try Audit(tree: SourceTree(files: ["a.swift": circle, "b.swift": circle])).run()
  }
}
