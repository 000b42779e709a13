import AtRestCrypto
import AtRestDatabase
import Foundation
import Testing

/// Without its state, a database is not opened.
struct StateFileTests {
  @Test func aMissingStateIsRefused() throws {
    let scratch = try Scratch()
    try scratch.fill()
    try FileManager.default.removeItem(at: scratch.url("-state"))
    #expect(scratch.refusal() == .damaged)
    try EncryptedDatabase.acceptOlder(at: scratch.file, key: Scratch.rawKey())
    #expect(try scratch.rows().get().count == 5)
    #expect(try scratch.isCurrent())
  }

  /// With the log of a crash, whose transactions stay.
  @Test func aMissingStateWithALogIsAccepted() throws {
    let scratch = try Scratch()
    try scratch.fill()
    _ = try scratch.contentsAfterCrash("UPDATE t SET b = 2")
    try FileManager.default.removeItem(at: scratch.url("-state"))
    #expect(scratch.refusal() == .damaged)
    try EncryptedDatabase.acceptOlder(at: scratch.file, key: Scratch.rawKey())
    #expect(try scratch.rows().get() == (1...5).map { "\($0)=2" })
  }

  @Test func theStateOfAnotherDatabaseIsRefused() throws {
    let scratch = try Scratch()
    let other = try Scratch()
    try scratch.fill()
    try other.fill()
    try Data(contentsOf: other.url("-state")).write(to: scratch.url("-state"))
    #expect(scratch.refusal() == .damaged)
  }

  @Test func theStateOfALaterVersionIsNamed() throws {
    let scratch = try Scratch()
    try scratch.fill()
    var state = try Data(contentsOf: scratch.url("-state"))
    state[9] = 2
    try state.write(to: scratch.url("-state"))
    #expect(scratch.refusal() == .unsupportedVersion)
  }

  @Test func aDatabaseThatWasCutIsRefused() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let whole = try Data(contentsOf: scratch.file)
    for size in stride(from: 4096, to: whole.count, by: 4096) {
      try whole.prefix(size).write(to: scratch.file)
      #expect(scratch.refusal() == .damaged, "\(size) bytes")
    }
    try whole.write(to: scratch.file)
    #expect(scratch.refusal() == nil)
  }
}
