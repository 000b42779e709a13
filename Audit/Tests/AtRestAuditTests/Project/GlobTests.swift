import AtRestAudit
import Testing

@Suite struct GlobTests {
  @Test(arguments: [
    ("*.swift", "A/B/C.swift", true),
    ("*.swift", "A/B/C.m", false),
    ("Pods", "Pods/X/Y.m", true),
    ("Pods/", "App/Pods/Y.m", true),
    ("/Pods", "App/Pods/Y.m", false),
    ("App/*.swift", "App/A.swift", true),
    ("App/*.swift", "App/B/A.swift", false),
    ("App/**/A.swift", "App/A.swift", true),
    ("App/**/A.swift", "App/B/C/A.swift", true),
    ("App/**", "App/B/C/A.swift", true),
    ("**/Gen/**", "App/Gen/A.swift", true),
    ("**/Gen/**", "App/Generic/A.swift", false),
    ("**", "A", true),
    ("?.m", "x/a.m", true),
    ("?.m", "x/ab.m", false),
    ("[a-c]x.m", "bx.m", true),
    ("[!a-c]x.m", "bx.m", false),
    ("[x.m", "[x.m", true),
    ("a\\*b", "a*b", true),
    ("a\\*b", "axb", false),
    ("App", "Application/A.swift", false),
    ("ü*", "übel.swift", true),
  ])
  func matches(pattern: String, path: String, expected: Bool) {
    #expect(Glob(pattern).matches(path) == expected)
  }

  @Test func takesNoTimeForManyStars() {
    let pattern = String(repeating: "**/*a*b", count: 200)
    let path = String(repeating: "aaaaaaaaaa/", count: 400)
    #expect(!Glob(pattern).matches(path))
  }
}
