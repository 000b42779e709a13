import Foundation
import Testing

/// No name sends commands to the terminal, in a result or in an error.
@Suite struct HostileNameTests {
  private static let name = "a\u{1B}[31m\u{9B}2J\u{202E}.json"

  @Test(arguments: [
    ["app/\(name)"], ["--baseline", name, "app"], ["--config", name, "app"],
    ["container", "\(name)x"], ["--no-such-option\(name)"],
    ["diff", name, name],
  ])
  func anErrorShowsIt(_ arguments: [String]) throws {
    let run = try CommandRun(["app/A.swift": "let a = 1\n", Self.name: "no JSON"])
    let result = try run.run(arguments)
    #expect(result.status == 2 && !result.notes.isEmpty)
    let controls = result.notes.unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || $0.properties.isBidiControl)
    }
    #expect(controls.isEmpty, "\(result.notes.debugDescription)")
  }
}
