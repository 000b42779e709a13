import Foundation
import Testing

/// A `rekey` is killed or fails at each of its calls that change a file, three times in a row. The database then
/// opens with all rows, as does the one that shares its key, and nothing is left behind.
@Suite(.enabled(if: Recording.isPossible)) struct RekeyFaultTests {
  /// The calls at which something goes wrong: all of them, or a sample.
  private func points(_ calls: Int, _ count: Int) -> [Int] {
    if Worker.isFull { return Array(1...calls + 4) }
    return (0..<count).map { 1 + $0 * calls / count }
  }

  private func calls(_ scene: RekeyScene) throws -> Int {
    let whole = try scene.copy()
    let outcome = try whole.run()
    try #require(outcome.status == 0)
    try #require(whole.fault() == nil)
    return outcome.calls
  }

  @Test(arguments: RekeyScene.Kind.allCases, [false, true])
  func killedThreeTimes(_ kind: RekeyScene.Kind, usesLog: Bool) throws {
    let start = try RekeyScene(kind, usesLog: usesLog)
    let calls = try calls(start)
    var (kills, faults): (Int, [String]) = (0, [])
    for point in points(calls, 9) {
      for second in [point, (point * 7) % calls + 1] {
        let scene = try start.copy()
        // Each one begins where the former one ended, without an opening in between.
        let third = (second * 5) % calls + 1
        for place in [point, second, third] where try scene.run(killAt: place).status == 128 + 9 {
          kills += 1
        }
        if let fault = scene.fault() {
          faults.append("killed at \(point), \(second) and \(third): \(fault)")
        }
      }
    }
    print(
      "rekey killed, \(kind), \(usesLog): \(calls) calls, \(kills) kills, \(faults.count) faults")
    for fault in faults.prefix(5) { Issue.record("\(fault)") }
    #expect(kills > 0)
  }

  @Test(arguments: RekeyScene.Kind.allCases, [ENOSPC, EIO])
  func failingThreeTimes(_ kind: RekeyScene.Kind, error: Int32) throws {
    let start = try RekeyScene(kind, usesLog: true)
    let calls = try calls(start)
    var (failures, faults): (Int, [String]) = (0, [])
    for point in points(calls, 6) {
      for failure in RekeyScene.Failure.allCases {
        let scene = try start.copy()
        for _ in 0..<3 {
          let outcome = try scene.run(failAt: point, with: error, failure)
          failures += outcome.failures > 0 ? 1 : 0
        }
        if let fault = scene.fault() {
          faults.append("error \(error) at \(point), \(failure): \(fault)")
        }
      }
    }
    print(
      "rekey failing, \(kind), \(error): \(calls) calls, \(failures) failures, \(faults.count) faults"
    )
    for fault in faults.prefix(5) { Issue.record("\(fault)") }
    #expect(failures > 0)
  }

  /// The same when the answer that comes is that of a second request, which was not permitted any more.
  @Test(arguments: [RekeyScene.Kind.item, .keyFile], [EACCES, EPERM, EROFS])
  func aRenameWithoutAnAnswer(_ kind: RekeyScene.Kind, error: Int32) throws {
    let start = try RekeyScene(kind, usesLog: false)
    let calls = try calls(start)
    var failures = 0
    for point in points(calls, 8) {
      let scene = try start.copy()
      failures += try scene.run(failAt: point, with: error, .withoutAnAnswer).failures
      #expect(scene.fault() == nil)
    }
    #expect(failures > 0)
  }

  /// The new file gets its name, and this is not known. Its key stays.
  @Test(arguments: [RekeyScene.Kind.item, .keyFile])
  func aCreationWithoutAnAnswer(_ kind: RekeyScene.Kind) throws {
    let start = try RekeyScene(kind, usesLog: false)
    let whole = try start.copy()
    let calls = try whole.run(program: whole.creation()).calls
    var failures = 0
    for point in points(calls, 8) {
      let scene = try start.copy()
      failures += try scene.run(
        failAt: point, with: EIO, .withoutAnAnswer, program: scene.creation()
      ).failures
      #expect(try scene.countAfterCreation() == 3)
    }
    #expect(failures > 0)
  }

  /// Control: rows that are missing and a key that is lost are found.
  @Test func lossesAreFound() throws {
    let scene = try RekeyScene(.keyFile, usesLog: false)
    #expect(scene.fault() == nil)
    let copy = try scene.copy()
    try copy.run()
    #expect(copy.fault() == nil)
    // The file from before no longer has a key.
    try FileManager.default.removeItem(at: copy.file)
    try FileManager.default.copyItem(
      at: scene.original.appendingPathComponent("notes.db"), to: copy.file)
    #expect(copy.fault() != nil)
  }
}
