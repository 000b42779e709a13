import AtRestAuditModel

/// Recognises the code of tests by the modules that it imports.
///
/// The name of a file decides nothing: the `SpeedTest.swift` of an app is part of the app.
enum TestCode {
  private static let modules: Set<String> = [
    "XCTest", "Testing", "SenTestingKit", "Quick", "Nimble", "KIF", "Kiwi", "Specta", "Expecta",
    "OCMock", "OCHamcrest", "OCMockito", "EarlGrey", "FBSnapshotTestCase", "iOSSnapshotTestCase",
    "SnapshotTesting", "ViewInspector", "Cuckoo", "Mockingbird", "SwiftCheck",
  ]

  /// The number of bytes of a file that are searched for imports.
  static let headerLength = 16_384

  /// Returns true if a file imports a module for tests, other than in a branch of `#if`.
  ///
  /// The search ends with the first line of code after the imports.
  static func isTest(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var conditions = 0
    var isInComment = false
    var rest = text.prefix(headerLength)
    while !rest.isEmpty {
      let bytes = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest[min(bytes.endIndex + 1, rest.endIndex)...]
      let code = bytes.drop { $0 == 0x20 || $0 == 0x09 }
      // Most lines before the imports are comments.
      if !isInComment, code.isEmpty || code.starts(with: "//".utf8) { continue }
      let line = String(decoding: code, as: UTF8.self)[...]
      if isInComment || line.hasPrefix("/*") {
        isInComment = !line.contains("*/")
      } else if line.hasPrefix("#if") {
        conditions += 1
      } else if line.hasPrefix("#end") {
        conditions -= 1
      } else if let module = importedModule(line) {
        if conditions == 0, modules.contains(module) { return true }
      } else if !line.hasPrefix("#"), !line.hasPrefix("@") {
        return false
      }
    }
    return false
  }

  /// Returns the module of a line such as `import XCTest`, `@preconcurrency import Quick` or
  /// `#import <XCTest/XCTest.h>`, or nil if the line imports nothing.
  private static func importedModule(_ line: Substring) -> String? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard
      let index = words.firstIndex(where: {
        ["import", "@import", "#import", "#include"].contains($0)
      }),
      index < 3, let name = words.last
    else { return nil }
    if words.first == "@testable" { return "XCTest" }
    return String(
      name.drop { "<\"".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}
