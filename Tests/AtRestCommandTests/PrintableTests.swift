import Foundation
import Testing

/// Terminals obey no controls in arguments, names or attributes.
@Suite struct PrintableTests {
  /// C0, DEL, C1, and characters that change the direction of text.
  private static let controls = [
    "\u{1B}[31m", "\u{7}", "\u{7F}", "\u{9B}2J", "\u{202E}", "\u{2066}",
  ]

  private func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0 == "\n" || $0.properties.generalCategory != .control && !$0.properties.isBidiControl
    }
  }

  @Test(arguments: controls) func inMessages(_ control: String) throws {
    let run = try CommandRun.withStore()
    for arguments in [
      ["x\(control)y"], ["get", "--port", "9\(control)"], ["get", "--bogus\(control)"],
      ["get", "--service", "s\(control)", "--account", "a"], ["protect", "none\(control)"],
      ["inspect", "none\(control)"], ["check", "none\(control)"],
      ["status", "--store", "none\(control)"], ["list", "--class", control],
    ] {
      let result = try run.run(arguments, input: nil)
      #expect(result.status != 0, "\(arguments)")
      #expect(isPrintable(result.notes), "\(arguments)")
    }
    let refused = try run.run(["x\(control)y"], input: nil)
    let first = try #require(control.unicodeScalars.first)
    #expect(refused.notes.contains("x\\u{\(String(first.value, radix: 16))}"))
  }

  @Test func anArgumentWritesNoLineOfItsOwn() throws {
    let run = try CommandRun()
    let refused = try run("x\natrest: the passcode is changed.")
    #expect(refused.status == 2)
    #expect(!refused.notes.contains("\natrest: the passcode"))
    #expect(refused.notes.contains("x\\u{a}atrest"))
  }

  @Test(arguments: controls) func inResults(_ control: String) throws {
    let run = try CommandRun.withStore()
    #expect(
      try run("add", "--service", "s\(control)", "--account", "a", input: "x").status == 0)
    #expect(isPrintable(try run("list").text))
    let listed = try run("list", "--json")
    #expect(isPrintable(listed.text))
    // The JSON still has the same contents.
    let items = try #require(listed.json["items"] as? [[String: Any]])
    #expect(items.first?["service"] as? String == "s\(control)")
  }

  /// Control: text of every script stays unchanged.
  @Test func textIsReadable() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "Müller 日本 שלום 🔑", "--account", "a", input: "x")
    #expect(try run("list").text.contains("Müller 日本 שלום 🔑"))
    #expect(try run("list", "--json").text.contains("Müller 日本 שלום 🔑"))
  }
}
