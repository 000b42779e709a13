#if os(Linux)
  import AtRestCrypto
  import AtRestFiles
  import AtRestKeybag
  import AtRestTestSupport
  import Foundation
  import Testing

  /// A process with an open file of class complete is searched for the file's plaintext and keys
  /// after the lock.
  @Suite struct FileMemoryTests {
    @Test func nothingOfAFileIsLeftAfterALock() throws {
      let scratch = try Scratch()
      #expect(try Worker("make", scratch).finish().status == 0)
      let keybag = try Keybag.open(
        at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
      try keybag.unlock(passcode: SecretBytes(utf8: "correct horse battery"))
      let url = scratch.folder.appendingPathComponent("file")
      let contents = RandomBytes.data(count: 4_096)
      try ProtectedFiles(keybag).chunked(by: 1_024).write(contents, to: url, protection: .complete)
      // As `docs/Formats.md` specifies: the wrapped key, and the salt of the chunks' key.
      let stored = try Data(contentsOf: url)
      let key = try keybag.unwrap(Data(stored[84..<124]), under: .complete, name: "key")
      let chunkKey = key.derive(Purpose("atrest.file.chunks.v1"), salt: Data(stored[19..<35]))
      let (file, chunks) = (Data(copying: key), Data(copying: chunkKey))
      let needles = [
        ("plaintext.first", contents[100..<132]), ("plaintext.second", contents[1_500..<1_532]),
        ("file-key", file), ("chunk-key", chunks),
      ]
      let pieces = needles.flatMap { name, bytes in
        [0, 16].map { start in
          Needle(name: "\(name)/\(start)", bytes: Array(bytes.dropFirst(start).prefix(16)))
        }
      }
      // A handle never keeps key schedules.
      let schedules = [file, chunks].enumerated().flatMap { number, key in
        let schedule = AESKeySchedule(key: Array(key))
        return (schedule.forward.dropFirst(2) + schedule.inverse).enumerated().map {
          Needle(name: "schedule.\(number)/\($0)", bytes: $1)
        }
      }
      let memory = SearchedMemory(pieces + schedules)
      let worker = try Worker("file-memory", scratch, url.path)
      defer { worker.kill() }
      var found: [String: [String: [String]]] = [:]
      for phase in ["start", "unlocked", "locked"] {
        try #require(String(decoding: worker.available(), as: UTF8.self) == "\(phase)\n")
        found[phase] = try memory.found(in: worker.identifier)
        try worker.go()
      }
      let (said, signal, status) = worker.finish()
      #expect(signal == 0 && status == 0, "\(said)")
      print("file memory: unlocked \(found["unlocked"]!.count), locked \(found["locked"]!.count)")
      #expect(found["start"] == [:])
      // Control: while unlocked, all of it is in memory, but no schedule.
      #expect(Set(found["unlocked"]!.keys) == Set(pieces.map(\.name)))
      #expect(found["locked"] == [:])
    }
  }
#endif
