import Foundation
import Testing

@Suite struct ContainerCommandTests {
  static let canary = "violet-kestrel-48"

  /// Returns a container that has a text in its preferences, and in Base64 in a document.
  private static func container(_ text: String) -> [String: String] {
    [
      "Bank/Library/Preferences/org.example.bank.plist": """
      <plist version="1.0"><dict><key>lastEntry</key><string>\(text)</string></dict></plist>
      """,
      "Bank/Documents/state.json": """
      {"pages": [{"state": "\(Data("{\"note\": \"\(text)\"}".utf8).base64EncodedString())"}]}
      """,
    ]
  }

  private static let clean = container("nothing of note")

  /// Returns the place of a finding within its file, by the path of the file.
  private func places(_ result: CommandRun.Result) -> [String: [String]] {
    var places: [String: [String]] = [:]
    for finding in result.json["findings"] as? [[String: Any]] ?? [] {
      let location = finding["location"] as? [String: Any]
      let exhibit = finding["exhibit"] as? [String: Any]
      guard let path = location?["path"] as? String else { continue }
      places[path] = exhibit?["locator"] as? [String]
    }
    return places
  }

  @Test func tellsWhereACanaryLies() throws {
    let run = try CommandRun(Self.container(Self.canary))
    let result = try run("container", "--canary", Self.canary, "-f", "json", "Bank")
    #expect(result.status == 1)
    #expect(
      places(result) == [
        "Bank/Library/Preferences/org.example.bank.plist": ["lastEntry"],
        "Bank/Documents/state.json": ["pages[0].state", "base64", "json", "note"],
      ])
  }

  @Test(arguments: ["terminal", "json", "sarif", "junit", "gitlab", "markdown", "html", "masvs"])
  func keepsTheCanaryToItselfUnlessToldToRevealIt(format: String) throws {
    let run = try CommandRun(Self.container(Self.canary))
    try run.write("typed.txt", "# what was typed\nnote=\(Self.canary)\n")
    let arguments = ["container", "--canaries", "typed.txt", "-f", format, "Bank"]
    let result = try run.run(arguments)
    #expect(result.status == 1)
    #expect(result.text.contains("note"))
    #expect(!(result.text + result.notes).contains(Self.canary))
    if ["terminal", "json"].contains(format) {
      #expect(try run.run(arguments + ["--reveal"]).text.contains(Self.canary))
    }
  }

  @Test func isSilentOnACleanContainer() throws {
    let run = try CommandRun(Self.clean)
    let result = try run("container", "--canary", Self.canary, "Bank")
    #expect(result.status == 0)
    #expect(result.text.contains("Nothing found."))
  }

  @Test(arguments: [
    (["container", "Nowhere"], "Nowhere does not exist."),
    (["container", "--canary", "abc", "Bank"], "fewer than 4 characters"),
    (["container", "--canaries", "nowhere.txt", "Bank"], "nowhere.txt cannot be read."),
    (["snapshot", "Nowhere", "-o", "a.json"], "Nowhere does not exist."),
    (["diff", "nowhere.json", "Bank"], "nowhere.json does not exist."),
    (["backup", "list", "Nowhere"], "Nowhere"),
    (["backup", "list", "Bank/Documents"], "This is not a backup"),
    (["keychain", "Nowhere"], "Nowhere does not exist."),
    (["keychain", "Bank/Documents/state.json"], "not a keychain dump"),
    (["scan", "--container", "Nowhere", "Bank"], "Nowhere does not exist."),
    (["scan", "--canary", "violet-kestrel", "Bank"], "--container"),
  ])
  func endsWithTwo(arguments: [String], message: String) throws {
    let run = try CommandRun(Self.clean)
    let result = try run.run(arguments)
    #expect(result.status == 2)
    #expect(result.notes.contains(message), "\(result.notes)")
    #expect(result.text.isEmpty)
  }

  @Test func tellsOfCodeAndContainerInOneReport() throws {
    var files = Self.container(Self.canary)
    files["App/Store.swift"] = CommandRun.bad
    let run = try CommandRun(files)
    let result = try run(
      "scan", "-f", "json", "--container", "Bank", "--canary", Self.canary, "App")
    #expect(result.status == 1)
    let rules = (result.json["findings"] as? [[String: Any]] ?? []).compactMap {
      $0["rule"] as? String
    }
    #expect(Set(rules).isSuperset(of: ["userdefaults-sensitive", "container-canary"]))
    #expect(!result.text.contains(Self.canary))
  }

  @Test func leavesOutWhatABaselineHas() throws {
    var files = Self.container(Self.canary)
    files["App/A.swift"] = "let a = 1\n"
    let run = try CommandRun(files)
    let arguments = ["scan", "--container", "Bank", "--canary", Self.canary, "App"]
    #expect(try run.run(arguments + ["--write-baseline", "known.json"]).status == 0)
    #expect(try !run.read("known.json").contains(Self.canary))
    let result = try run(
      "container", "--baseline", "known.json", "--canary", Self.canary, "Bank")
    #expect(result.status == 0)
  }

  // MARK: Snapshots

  @Test func findsNothingNewInWhatStayed() throws {
    let run = try CommandRun(Self.clean)
    #expect(try run("snapshot", "Bank", "--output", "before.json").status == 0)
    let result = try run("diff", "before.json", "Bank")
    #expect(result.status == 0)
    #expect(result.text == "Nothing changed.\n")
  }

  @Test func namesANewKey() throws {
    let run = try CommandRun(Self.clean)
    #expect(try run("snapshot", "Bank", "--output", "before.json").status == 0)
    #expect(try !run.read("before.json").contains("nothing of note"))
    let list = "Bank/Library/Preferences/org.example.bank.plist"
    let text = try run.read(list)
    try run.write(
      list,
      text.replacing("</dict>", with: "<key>draft</key><string>\(Self.canary)</string></dict>"))
    let result = try run("diff", "before.json", "Bank")
    #expect(result.status == 1)
    #expect(result.text.contains("~ Library/Preferences/org.example.bank.plist"))
    #expect(result.text.contains("+ draft\n"))
    #expect(!result.text.contains(Self.canary))
    let json = try run("diff", "before.json", "Bank", "--json").json
    let file = (json["files"] as? [[String: Any]])?.first
    #expect(file?["addedValues"] as? [String] == ["draft"])
  }

  @Test func namesWhatSurvivesALogout() throws {
    let list = "Bank/Library/Preferences/org.example.bank.plist"
    let run = try CommandRun(Self.clean)
    let text = try run.read(list)
    #expect(try run("snapshot", "Bank", "-o", "installed.json").status == 0)
    let login = "<key>draft</key><string>\(Self.canary)</string><key>token</key><string>t</string>"
    try run.write(list, text.replacing("</dict>", with: "\(login)</dict>"))
    #expect(
      try run("snapshot", "Bank", "--since", "installed.json", "-o", "used.json").status == 0)
    try run.write(
      list,
      text.replacing("</dict>", with: "<key>draft</key><string>\(Self.canary)</string></dict>"))
    let result = try run("diff", "installed.json", "used.json", "Bank")
    #expect(result.status == 1)
    #expect(
      result.text == """
        = Library/Preferences/org.example.bank.plist
            = draft
        Gone or overwritten: 1.

        """)
    try run.write(list, text)
    let clean = try run("diff", "installed.json", "used.json", "Bank")
    #expect(clean.status == 0)
    #expect(clean.text.contains("Nothing that the use left is still there."))
    // A snapshot of its own cannot be compared.
    #expect(try run("snapshot", "Bank", "-o", "used.json").status == 0)
    #expect(try run("diff", "installed.json", "used.json", "Bank").notes.contains("--since"))
  }

  // MARK: Keychains

  private static func dump(_ accessible: String) -> String {
    """
    [{"item_class": "kSecClassGenericPassword", "account": "ada", "service": "org.example.bank",
      "accessible_attribute": "\(accessible)", "access_control": "None",
      "data": "\(canary)", "dataHex": "\(canary.utf8.map { String($0, radix: 16) }.joined())",
      "entitlement_group": "TEAM.org.example.bank"}]
    """
  }

  @Test func judgesItemsOfAKeychain() throws {
    let run = try CommandRun([
      "open.json": Self.dump("kSecAttrAccessibleAlways"),
      "shut.json": Self.dump("kSecAttrAccessibleWhenUnlockedThisDeviceOnly"),
    ])
    let open = try run("keychain", "open.json", "--canary", Self.canary)
    #expect(open.status == 1)
    #expect(open.text.contains("container-keychain-item"))
    #expect(open.text.contains("container-canary"))
    #expect(open.text.contains("org.example.bank, ada"))
    #expect(!open.text.contains(Self.canary))
    #expect(try run("keychain", "shut.json", "--canary", Self.canary).status == 0)
  }

  @Test func aLongNameIsCut() throws {
    let name = String(repeating: "a", count: 100_000)
    let run = try CommandRun([
      "long.json": Self.dump("kSecAttrAccessibleAlways").replacing("ada", with: name)
    ])
    let text = try run("keychain", "long.json").text
    #expect(text.contains("container-keychain-item"))
    #expect(text.contains("aaa…"))
    #expect(text.utf8.count < 2_000)
  }
}
