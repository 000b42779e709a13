import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import Testing

/// An older copy of the whole database is found by the counter in the keychain.
struct OlderDatabaseTests {
  @Test func anOlderCopyIsRefused() throws {
    let scratch = try Scratch()
    let key = DatabaseKey.item("notes", in: try Scratch.keychain())
    try scratch.fill(key: key)
    let before = try scratch.contents()
    try scratch.run("UPDATE t SET b = 2", key: key)
    let after = try scratch.contents()
    // The counter is raised by the next opening at the latest.
    #expect(scratch.refusal(key: key) == nil)
    try scratch.restore(before)
    #expect(scratch.refusal(key: key) == .rolledBack)
    // Nothing was modified, so the later copy opens.
    try scratch.restore(after)
    #expect(try scratch.rows(key: key).get() == (1...5).map { "\($0)=2" })
  }

  @Test func anOlderCopyCanBeAccepted() throws {
    let scratch = try Scratch()
    let key = DatabaseKey.item("notes", in: try Scratch.keychain())
    try scratch.fill(key: key)
    let before = try scratch.contents()
    try scratch.run("UPDATE t SET b = 2", key: key)
    #expect(scratch.refusal(key: key) == nil)
    try scratch.restore(before)
    try EncryptedDatabase.acceptOlder(at: scratch.file, key: key)
    #expect(try scratch.rows(key: key).get() == (1...5).map { "\($0)=1" })
    try scratch.run("UPDATE t SET b = 3", key: key)
    #expect(try scratch.rows(key: key).get() == (1...5).map { "\($0)=3" })
  }

  /// Control: without a keychain there is nothing that was not put back too.
  @Test func aRawKeyHasNoCounter() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let before = try scratch.contents()
    try scratch.run("UPDATE t SET b = 2")
    try scratch.restore(before)
    #expect(try scratch.rows().get() == (1...5).map { "\($0)=1" })
  }

  /// An older database beside the present state.
  @Test func anOlderDatabaseAloneIsFound() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let before = try Data(contentsOf: scratch.file)
    try scratch.run("UPDATE t SET b = 2")
    try before.write(to: scratch.file)
    #expect(try !scratch.isCurrent())
  }
}
