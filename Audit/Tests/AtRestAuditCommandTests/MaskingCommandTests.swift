import Foundation
import Testing

/// The program does not print the secrets of files, and prints the names of their entries.
@Suite struct MaskingCommandTests {
  private static let files = [
    "Localizable.strings": "\"api_password\" = \"xkdUeeRq8TTwz\";\n",
    "Release.xcconfig": "DB_PASSWORD = xkdUeeRq8TTwz\n",
    "Secrets.plist": """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>Password</key><string>xkdUeeRq8$TTwz</string></dict></plist>

    """,
    "a.json": "{\n  \"password\": \"xkdUeeRq8$TTwz\"\n}\n",
    "b.json": "{\"password\":\"xkdUeeRq8$TTwz\",\"other\":1}\n",
    "Addresses.swift": """
    let two = "https://api.example.net/v1?token=ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    let three = "https://user:Wr3n!Kettle77@api.example.net/v1"

    """,
  ]
  private static let pieces = ["xkdUeeRq", "8$TTwz", "8TTwz", "16C7e42F", "n!Kettle"]

  @Test(arguments: ["terminal", "json", "sarif", "junit", "gitlab", "markdown", "html", "masvs"])
  func printsNoSecret(format: String) throws {
    let run = try CommandRun(Self.files)
    let result = try run("-f", format)
    #expect(result.status == 1)
    for piece in Self.pieces {
      #expect(!result.text.contains(piece), "\(piece)")
      #expect(!result.notes.contains(piece), "\(piece)")
    }
    for name in ["api_password", "DB_PASSWORD", "Password", "“password”"] {
      #expect(result.text.contains(name), "\(name)")
    }
  }

  @Test func printsThemIfAsked() throws {
    let run = try CommandRun(Self.files)
    let text = try run("--reveal").text
    for piece in Self.pieces { #expect(text.contains(piece), "\(piece)") }
  }

  @Test func writesNoneIntoABaseline() throws {
    let run = try CommandRun(Self.files)
    _ = try run("--write-baseline", "known.json")
    let baseline = try run.read("known.json")
    #expect(baseline.contains("b.json"))
    for piece in Self.pieces { #expect(!baseline.contains(piece), "\(piece)") }
    let known = try run("--baseline", "known.json", "-f", "json")
    #expect(known.status == 0)
    for piece in Self.pieces { #expect(!known.text.contains(piece), "\(piece)") }
  }

  @Test func explainsWithoutTheSecret() throws {
    let run = try CommandRun(Self.files)
    for number in 1...5 {
      let text = try run("--explain", "\(number)").text
      #expect(!text.isEmpty)
      for piece in Self.pieces { #expect(!text.contains(piece), "\(piece)") }
    }
  }
}
