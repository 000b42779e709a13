import Foundation
import Testing

/// Tests the program as a user runs it, with a store of its own.
struct CommandTests {
  @Test func aDayWithNotes() throws {
    let desk = try Desk()
    let first = try desk.run("list\nadd Buy milk\nadd Feed the wren\nsearch wr\n")
    let texts = first.map { $0.components(separatedBy: "Z  ").last }
    #expect(texts == ["Buy milk", "Feed the wren", "Feed the wren"])
    #expect(try desk.run("list\nquit\nlist\n").count == 2)
    #expect(try desk.run("burn\n").first == "add TEXT | list | search WORDS | lock | unlock | quit")
  }
}

extension Desk {
  /// Runs the program with commands, and returns the lines of its output.
  fileprivate func run(_ commands: String) throws -> [String] {
    let process = Process()
    let starts = [Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)
    process.executableURL = starts.flatMap { [$0, $0.deletingLastPathComponent()] }
      .map { $0.resolvingSymlinksInPath().appendingPathComponent("notes") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    process.environment = [
      "NOTES_FILE": folder.appendingPathComponent("command.db").path,
      "ATREST_STORE": folder.appendingPathComponent("store").path,
      "ATREST_DEVICE": folder.appendingPathComponent("device").path,
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(commands.utf8))
    try input.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
