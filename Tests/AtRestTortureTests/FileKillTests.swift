import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Crypto
import Foundation
import Testing

/// A process that writes, changes and rewraps files is killed at any moment. Each file then reads
/// as before or as after the step, and no plaintext is found anywhere.
@Suite struct FileKillTests {
  @Test func everyFileIsWhole() throws {
    let runs = Worker.isFull ? 200 : 40
    let scratch = try Scratch()
    let folder = scratch.folder.appendingPathComponent("files")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try Worker("make", scratch).finish().status == 0)
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    try keybag.unlock(passcode: SecretBytes(utf8: "correct horse battery"))
    let files = ProtectedFiles(keybag)
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed)
    var model: [String: String] = [:]
    var counts = ["old": 0, "new": 0, "none": 0, "answered": 0, "interrupted": 0]
    for run in 0..<runs {
      let worker = try Worker(
        "files", scratch, folder.path, "\(UInt64.random(in: 0 ... .max, using: &generator))")
      let steps = Int.random(in: 0..<12, using: &generator)
      // A step takes a millisecond or more, so this covers any moment of it.
      let moment = Duration.microseconds(Int.random(in: 0..<5_000, using: &generator))
      let (lines, signal) = worker.killed(after: steps, and: moment)
      #expect(signal == SIGKILL, "run \(run): the worker ended by itself: \(lines)")
      var pending: (name: String, hash: String)?
      for words in lines {
        if words[0] == "do" { pending = (words[3], words[4]) }
        if words[0] == "done", let step = pending {
          model[step.name] = step.hash
          pending = nil
          counts["answered", default: 0] += 1
        }
      }
      try Self.expectNoPlaintext(in: folder)
      for name in ["a", "b", "c"] {
        let url = folder.appendingPathComponent(name)
        if (try? FileDescription(of: url))?.hasInterruptedChange == true {
          counts["interrupted", default: 0] += 1
        }
        var found: String?
        do {
          found = SHA256.hash(data: try files.read(url)).map { String(format: "%02x", $0) }
            .joined()
        } catch AtRestError.Code.notFound {}
        if let pending, pending.name == name {
          #expect(
            found == model[name] || found == pending.hash, "run \(run), seed \(seed): \(name)")
          counts[found == model[name] ? "old" : "new", default: 0] += 1
          model[name] = found
        } else {
          #expect(found == model[name], "run \(run), seed \(seed): \(name)")
        }
      }
      if pending == nil { counts["none", default: 0] += 1 }
      try Self.expectNoPlaintext(in: folder)
    }
    print("kill -9 of files: \(runs) runs, \(counts.sorted { $0.key < $1.key }); seed \(seed)")
  }

  private static func expectNoPlaintext(in folder: URL) throws {
    // Control: the needle is the text that the worker writes.
    let needle = Data("this is what nobody may find".utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
      #expect(bytes.range(of: needle) == nil, "\(name)")
    }
  }

  /// A commit that failed because the disk was full is repeated after more was written.
  @Test(arguments: [0, 1_000, 2_500, 5_000, 100_000]) func aFullDiskHarmsNothing(
    _ room: Int
  ) throws {
    let scratch = try Scratch()
    #expect(try Worker("make", scratch).finish().status == 0)
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    try keybag.unlock(passcode: SecretBytes(utf8: "correct horse battery"))
    let files = ProtectedFiles(keybag).chunked(by: 1_024)
    let url = scratch.folder.appendingPathComponent("a")
    try files.write(Data(count: 102_400), to: url)
    let (said, _, status) = try Worker("full", scratch, url.path, "\(room)").finish()
    #expect(status == 0, "\(said)")
    // Control: if there is space, nothing fails.
    #expect(said.contains(room < 2_500 ? "synchronize system" : "synchronize done"), "\(said)")
    #expect(said.contains("meanwhile as before") == (room < 2_500), "\(said)")
    #expect(said.contains("again done") && said.contains("after all of it"), "\(said)")
    #expect(try files.verify(url).written == 102_400 + 2_048 + 40 * 1_024)
  }
}
