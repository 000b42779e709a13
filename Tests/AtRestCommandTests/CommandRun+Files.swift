import Foundation
import Testing

extension CommandRun {
  /// Creates a store with the passcode in the returned file. It is locked until the passcode is
  /// given.
  static func withPasscode() throws -> (run: CommandRun, passcode: String) {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "let me in\n")
    #expect(try run("init", "--passcode-file", passcode, "--kdf-time", "1").status == 0)
    return (run, passcode)
  }

  func contents(_ name: String) -> Data? {
    try? Data(contentsOf: folder.appendingPathComponent(name))
  }

  func text(_ name: String) -> String? {
    contents(name).map { String(decoding: $0, as: UTF8.self) }
  }

  func exists(_ name: String) -> Bool { contents(name) != nil }

  func mode(_ name: String) throws -> Int? {
    let path = folder.appendingPathComponent(name).path
    return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// Returns the names of the files in a folder, sorted.
  func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent(name).path
    ).sorted()
  }

  /// Copies a file with one byte replaced.
  func copy(_ name: String, to other: String, flipping offset: Int) throws {
    var data = try #require(contents(name))
    data[offset < 0 ? data.count + offset : offset] ^= 1
    try data.write(to: folder.appendingPathComponent(other))
  }
}
