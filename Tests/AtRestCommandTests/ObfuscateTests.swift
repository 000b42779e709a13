import Foundation
import Testing

@Suite struct ObfuscateTests {
  @Test func theSourceHoldsAConstantAndNotTheSecret() throws {
    let run = try CommandRun()
    let written = try run("obfuscate", "--name", "part", input: "AAAAAAAAAAAAAAAA")
    #expect(written.status == 0)
    #expect(written.text.hasPrefix("import AtRest\n"))
    #expect(written.text.contains("let part = ObfuscatedBytes(\n  seed: [\n    0x"))
    #expect(!written.text.contains("AAAA"))
    // A shorter run might be masked to itself by chance. A line of the literal has twelve bytes.
    #expect(!written.text.contains("0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41"))
    // The mask differs each time.
    #expect(
      try run("obfuscate", "--name", "part", input: "AAAAAAAAAAAAAAAA").text != written.text)
  }

  @Test func theSecretComesFromAFileToo() throws {
    let run = try CommandRun()
    let file = try run.file("secret", "s3cr3t-of-a-file")
    let written = try run("obfuscate", "--secret-file", file)
    #expect(written.status == 0)
    #expect(written.text.contains("let partialSecret = ObfuscatedBytes("))
  }

  @Test func theSecretIsNoArgument() throws {
    let run = try CommandRun()
    #expect(try run("obfuscate", "--name", "part", "s3cr3t").status == 2)
  }

  @Test(arguments: ["", "1a", "a-b", "a b", "é"])
  func theNameIsOneOfSwift(_ name: String) throws {
    let run = try CommandRun()
    #expect(try run("obfuscate", "--name=\(name)", input: "s3cr3t").status == 2)
  }

  @Test func noSecretIsRefused() throws {
    let run = try CommandRun()
    #expect(try run("obfuscate", input: "").status == 2)
  }
}
