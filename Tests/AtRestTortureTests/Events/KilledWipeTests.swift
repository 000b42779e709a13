import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A wipe that is killed at any of its calls is finished by the next opening of the store, or has not
/// begun.
@Suite(.enabled(if: Recording.isPossible)) struct KilledWipeTests {
  private static let files: Set<String> = [
    "keybag", "keychain.db", "keychain.db-wal", "keychain.db-shm",
  ]

  private static func program(_ scratch: Scratch) throws -> [String] {
    [
      try Worker.binary("atrest").path, "wipe", "--yes", "--store", scratch.store.path, "--device",
      scratch.device.path,
    ]
  }

  private static func names(_ scratch: Scratch) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: scratch.store.path)) ?? [])
  }

  private static func make() throws -> Scratch {
    let scratch = try Scratch()
    let worker = try Worker("make", scratch)
    try #require(worker.finish().status == 0)
    return scratch
  }

  @Test func theNextOpeningFinishesIt() throws {
    let whole = try Self.make()
    let calls = try #require(Recording(of: Self.program(whole), in: whole).calls.last)
    #expect(Self.names(whole).isEmpty)
    let points = Worker.isFull ? Array(1...calls) : (0..<8).map { 1 + $0 * calls / 8 }
    var (intact, finished) = (0, 0)
    for point in points {
      let scratch = try Self.make()
      _ = try Recording(of: Self.program(scratch), in: scratch, killAt: point)
      do {
        try Keybag.open(at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
          .close()
        #expect(Self.names(scratch).isSuperset(of: ["keybag", "keychain.db"]), "\(point)")
        intact += 1
      } catch let error as AtRestError {
        #expect([.wiped, .notFound].contains(error.code), "\(point): \(error)")
        let left = Self.names(scratch).intersection(Self.files)
        #expect(left.isEmpty, "killed at \(point) of \(calls): \(left)")
        finished += 1
      }
    }
    #expect(intact > 0 && finished > 0)
  }

  /// A program that has the store open, and does not use it meanwhile, is told by the opening that finishes it.
  @Test func theNextOpeningTellsEveryProgram() throws {
    let whole = try Self.make()
    let calls = try #require(Recording(of: Self.program(whole), in: whole).calls.last)
    var finished = 0
    for point in 1...calls {
      let scratch = try Self.make()
      let device = try FileDeviceKey(in: scratch.device)
      let open = try Keybag.open(at: scratch.store, device: device)
      _ = try Recording(of: Self.program(scratch), in: scratch, killAt: point)
      do {
        try Keybag.open(at: scratch.store, device: device).close()
        continue
      } catch AtRestError.Code.wiped {} catch AtRestError.Code.notFound {}
      finished += 1
      let end = ContinuousClock.now + .seconds(20)
      while !open.isEnded, ContinuousClock.now < end { usleep(1_000) }
      #expect(open.isEnded, "killed at \(point) of \(calls)")
    }
    #expect(finished > 0)
  }

  /// Control: a copy of a wiped store in another folder is refused, and nothing of it is removed.
  @Test func aCopyIsNotRemoved() throws {
    let scratch = try Self.make()
    let copy = scratch.folder.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: scratch.store, to: copy)
    let device = try FileDeviceKey.openOrCreate(in: scratch.device)
    try Keybag.open(at: scratch.store, device: device).wipe()
    #expect { try Keybag.open(at: copy, device: device).close() } throws: {
      ($0 as? AtRestError)?.code == .wiped
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: copy.path)
    #expect(names.contains("keychain.db") && names.contains("keybag"))
  }
}
