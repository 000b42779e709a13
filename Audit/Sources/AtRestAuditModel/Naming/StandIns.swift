/// Recognises by name what stands in for the real thing: mocks, samples, previews.
package enum StandIns {
  private static let words: Set<String> = [
    "mock", "mocks", "mocked", "stub", "stubs", "stubbed", "fixture", "fixtures", "fake", "fakes",
    "dummy", "preview", "previews", "sample", "samples", "example", "examples", "demo", "demos",
    "placeholder", "placeholders", "skeleton", "lorem", "testing",
  ]

  /// Returns true if a name of a variable, function or type says that its values are invented.
  package static func contains(_ name: String) -> Bool {
    Words.split(name).contains(where: words.contains)
  }

  /// Returns true if a file is part of an example or a demo, which few people install.
  package static func isDemonstration(path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { folder in
      Words.split(String(folder)).contains(where: demonstrations.contains)
    }
  }

  /// Returns true if a file is a template from which people make their own: `Secrets.template.xcconfig`.
  package static func isTemplate(path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let parts = name.split(separator: ".").dropFirst()
    return !name.hasSuffix(".swift") && !name.hasSuffix(".m")
      && parts.contains { ["template", "sample", "example", "dist"].contains($0.lowercased()) }
      || Words.split(String(name.prefix { $0 != "." })).contains { $0 == "template" }
        && FileKind(path: path).map { !$0.isCode } == true
  }

  private static let demonstrations: Set<String> = [
    "example", "examples", "demo", "demos", "sample", "samples", "playground", "playgrounds",
    "tutorial", "tutorials",
  ]
}
