import AtRestAudit
import Testing

@Suite struct SettingsErrorTests {
  private func error(_ yaml: String, rules: Set<RuleID> = []) -> SettingsError? {
    #expect(throws: SettingsError.self) {
      try Settings(yaml: yaml, path: "s.yml", rules: rules)
    }
  }

  @Test func showsTheLineAndTheNearestKey() {
    let error = error("strict: true\nfial-on: high\n")
    #expect(
      error?.description == """
        s.yml:2:1: Unknown key 'fial-on'. Did you mean 'fail-on'?
         2 | fial-on: high
           | ^
        """)
  }

  @Test(arguments: [
    ("fail-on: hihg", 1, 10, "Did you mean 'high'?"),
    ("strict: maybe", 1, 9, "true or false"),
    ("strict: [true]", 1, 9, "true or false"),
    ("rules: [a]", 1, 8, "map rules"),
    ("rules:\n  log-sensitive: 3", 2, 18, "Use one of: off, note, low, medium, high."),
    ("exclude: Pods", 1, 10, "must be a list"),
    ("exclude:\n  - a\n  - {b: c}", 3, 5, "Text is expected"),
    ("exclude: ['']", 1, 11, "is empty"),
    ("vendored: yes", 1, 11, "Use one of: include, exclude."),
    ("checklist:\n  official-distribuion: x", 2, 3, "Did you mean 'official-distribution'?"),
    ("checklist: {official-distribution: ' '}", 1, 36, "is empty"),
    ("sensitive-names: {x: y}", 1, 22, "Use one of: credential, token"),
    ("baseline: ''", 1, 11, "must be a path"),
    ("- strict", 1, 1, "keys with values"),
    ("strict", 1, 1, "keys with values"),
    ("strict: true\nstrict: false", 1, 1, "twice"),
    ("a: [", 2, 1, "not valid YAML"),
    ("\tstrict: true", 1, 1, "not valid YAML"),
  ])
  func tells(yaml: String, line: Int, column: Int, message: String) {
    let error = error(yaml)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.position == Position(line: line, column: column))
  }

  @Test func knowsTheRules() {
    let error = error("rules: {log-sensitve: off}", rules: ["log-sensitive"])
    #expect(error?.message == "Unknown rule 'log-sensitve'. Did you mean 'log-sensitive'?")
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000),
    String(repeating: "- ", count: 100_000),
    (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
    "a: &a [x]\nb: &b [*a, *a, *a]\nrules: {c: [*b, *b]}",
    String(repeating: "a: b\n", count: 100_000),
    "exclude: &a [*a]",
    "\u{0}",
  ])
  func refusesWhatIsHostile(yaml: String) {
    _ = error(yaml)
  }

  @Test func readsOrRefusesWhatIsMutated() {
    let whole = """
      fail-on: high
      rules: {log-sensitive: off, weak-kdf: &x high}
      exclude:
        - Demo/**
        - "*.gen.swift"
      checklist:
        official-distribution: >
          On the web site.
      sensitive-names: {kennwort: credential}
      """
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(bound, 1)
    }
    let bytes = Array(":{}[]&*!|>'\"%@`#-?, \n\t\u{1}aé".utf8)
    for _ in 0..<2000 {
      var text = Array(whole.utf8)
      for _ in 0...random(4) {
        let place = random(text.count)
        switch random(3) {
        case 0: text[place] = bytes[random(bytes.count)]
        case 1: text.insert(bytes[random(bytes.count)], at: place)
        default: text.removeSubrange(place..<min(place + random(20), text.count))
        }
      }
      do {
        _ = try Settings(yaml: String(decoding: text, as: UTF8.self))
      } catch {
        #expect(error is SettingsError, "\(error)")
      }
    }
  }
}
