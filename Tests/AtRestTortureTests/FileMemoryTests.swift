import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// A process with a file of class complete open is searched, by itself, for the file's plaintext and
/// keys after the lock.
@Suite struct FileMemoryTests {
  @Test func nothingOfAFileIsLeftAfterALock() throws {
    let scratch = try Scratch()
    #expect(try Worker("make", scratch).finish().status == 0)
    let keybag = try Keybag.open(at: scratch.store, device: FileDeviceKey(in: scratch.device))
    try keybag.unlock(passcode: SecretBytes(utf8: "correct horse battery"))
    let url = scratch.folder.appendingPathComponent("file")
    let contents = RandomBytes.data(count: 4_096)
    try ProtectedFiles(keybag).chunked(by: 1_024).write(contents, to: url, protection: .complete)
    // As `docs/Formats.md` has it: the wrapped key, and the salt of the chunks' key.
    let stored = try Data(contentsOf: url)
    let key = try keybag.unwrap(Data(stored[84..<124]), under: .complete, name: "key")
    let chunks = key.derive(Purpose("atrest.file.chunks.v1"), salt: Data(stored[19..<35]))
    let needles = [
      ("plaintext.first", contents[100..<132]), ("plaintext.second", contents[1_500..<1_532]),
      ("file-key", Data(copying: key)), ("chunk-key", Data(copying: chunks)),
    ]
    var lines: [String] = []
    for (name, bytes) in needles {
      for start in [0, 16] {
        let piece = Data(bytes.dropFirst(start).prefix(16))
        let mask = RandomBytes.data(count: 16)
        lines.append(
          "\(name)/\(start) \(hex(mask)) \(hex(Data(zip(piece, mask).map { $0 ^ $1 })))")
      }
    }
    let list = scratch.folder.appendingPathComponent("needles")
    try lines.joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
    let (said, signal, status) = try Worker("file-memory", scratch, list.path, url.path).finish()
    #expect(signal == 0 && status == 0, "\(said)")
    func found(_ phase: String) -> [String] { said.filter { $0.hasPrefix("found \(phase) ") } }
    print("file memory: unlocked \(found("unlocked").count), locked \(found("locked").count)")
    #expect(said.contains("searched locked"))
    #expect(found("start") == [])
    // Control: while unlocked all of it is there.
    #expect(found("unlocked").count == lines.count, "\(said)")
    #expect(found("locked") == [])
  }

  private func hex(_ data: Data) -> String {
    data.map { String(format: "%02x", $0) }.joined()
  }
}
