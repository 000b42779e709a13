import Crypto
import Foundation
import Testing

/// An independent reader of backups reads the backups that the tests make, and gets the same files.
///
/// The test runs if `ATREST_PYTHON` names a Python that can import `iphone_backup_decrypt`.
@Suite struct IndependentReaderTests {
  private static let python = ProcessInfo.processInfo.environment["ATREST_PYTHON"]

  private static let isThere: Bool = {
    guard let python else { return false }
    return (try? run(python, ["-c", "import iphone_backup_decrypt"]))?.status == 0
  }()

  private static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, output: Data) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
  }

  @Test(
    .enabled(if: isThere, "ATREST_PYTHON names no Python that can import iphone_backup_decrypt."))
  func itReadsTheSame() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let maker = BackupMaker()
    for (path, data) in try maker.contents() {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
    let script = """
      import sys, hashlib
      from iphone_backup_decrypt import EncryptedBackup
      backup = EncryptedBackup(backup_directory=sys.argv[1], passphrase=sys.argv[2])
      for name in sys.argv[3:]:
          data = backup.extract_file_as_bytes(name)
          print(len(data), hashlib.sha256(data).hexdigest())
      """
    let files = maker.files.filter { $0.flags == 1 && !$0.data.isEmpty }
    let result = try Self.run(
      try #require(Self.python),
      ["-c", script, folder.path, maker.keybag.password] + files.map(\.path))
    #expect(result.status == 0)
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.map(String.init) == files.map { "\($0.data.count) \(Self.digest($0.data))" })
  }

  private static func digest(_ data: Data) -> String {
    SHA256.hash(data: data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
