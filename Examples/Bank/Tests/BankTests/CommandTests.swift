import Foundation
import Testing

/// Tests the program as a user runs it, with a store of its own.
@Suite struct CommandTests {
  private func bank(_ machine: URL, _ input: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = try program()
    process.arguments = arguments
    process.environment = [
      "BANK_FOLDER": machine.appendingPathComponent("bank").path,
      "ATREST_STORE": machine.appendingPathComponent("store").path,
      "ATREST_DEVICE": machine.appendingPathComponent("device").path,
    ]
    let (standardInput, output) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }

  @Test func aDayAtTheBank() throws {
    let machine = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: machine) }
    #expect(try bank(machine, "", "statements").contains("Log in first"))
    let welcome = try bank(machine, "\(password)\n", "login", "eva")
    #expect(welcome.hasSuffix("Welcome, eva.\n"))
    // The first value is stored in a store without a passcode.
    #expect(welcome.contains("No passcode is set"))
    #expect(try bank(machine, "", "statements").contains("2026-10  1203 €"))
    let adding = try bank(machine, "\(passphrase)\n\(visa)\n2029-04\n", "card", "add")
    #expect(adding == "")
    #expect(try bank(machine, "", "cards") == "•••• 5556\n")
    #expect(try bank(machine, "\(passphrase)\n", "card", "5556").hasPrefix(visa))
    #expect(try bank(machine, "", "payee", "Ada Lovelace") == "")
    #expect(try bank(machine, "", "payees") == "Ada Lovelace\n")
    #expect(try bank(machine, "", "logout") == "")
    #expect(try bank(machine, "", "cards").contains("Log in first"))
  }
}
