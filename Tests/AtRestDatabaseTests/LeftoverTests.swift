import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// What an interrupted `rekey` left is removed by the next opening, and nothing else.
struct LeftoverTests {
  private let scratch = try! Scratch()
  private let keychain = try! Scratch.keychain()
  private let item = PrimaryKey.genericPassword(service: "atrest.database", account: "notes")
  private var key: DatabaseKey { .item("notes", in: keychain) }

  private func open(_ url: URL? = nil) throws {
    let queue = try EncryptedDatabase.openQueue(at: url ?? scratch.file, key: key)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
    try queue.close()
  }

  /// Puts the file and the item back to what they were after each of two points of a rekey. Returns the file from
  /// before.
  @discardableResult
  private func interrupted(afterRename: Bool, madeAt place: URL? = nil) throws -> Data {
    try EncryptedDatabase.create(at: place ?? scratch.file, key: key)
    if let place { try FileManager.default.moveItem(at: place, to: scratch.file) }
    let (file, before) = (
      try Data(contentsOf: scratch.file), Data(copying: try keychain.secret(for: item))
    )
    try EncryptedDatabase.rekey(at: scratch.file, key: key)
    let (new, after) = (
      try Data(contentsOf: scratch.file), Data(copying: try keychain.secret(for: item))
    )
    // Both keys, of which the new one replaces the old one: see docs/Formats.md.
    let size = 16 + 16 + 16 + 32 + 4 + scratch.file.lastPathComponent.utf8.count
    var record = after.suffix(size)
    let place = try DatabasePlace.of(scratch.file)
    record.replaceSubrange(
      record.startIndex + 16..<record.startIndex + 48, with: file.prefix(16) + place)
    let both = before.prefix(10) + [0, 2] + before.dropFirst(12) + record
    try keychain.update(item, secret: SecretBytes(Data(both)))
    if !afterRename {
      try file.write(to: scratch.file)
      try new.write(to: URL(fileURLWithPath: scratch.file.path + ".atrest-rekey"))
      try Data([1]).write(to: URL(fileURLWithPath: scratch.file.path + ".atrest-rekey-journal"))
    }
    return file
  }

  @Test(arguments: [false, true]) func theNextOpeningRemovesThem(afterRename: Bool) throws {
    try interrupted(afterRename: afterRename)
    #expect(try EncryptedDatabase.keys(of: key).map(\.isUnfinished) == [false, true])
    try open()
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(names == ["notes.db"])
    let entries = try EncryptedDatabase.keys(of: key)
    #expect(entries.map(\.isUnfinished) == [false])
    #expect(entries.first?.salt == (try Data(contentsOf: scratch.file).prefix(16)))
    try open()
  }

  /// The file may be a copy, whose original needs the former key.
  @Test func theFormerKeyOfAFileThatWasMovedStays() throws {
    let place = scratch.folder.appendingPathComponent("elsewhere")
    let former = try interrupted(afterRename: true, madeAt: place)
    try open()
    #expect(try EncryptedDatabase.keys(of: key).map(\.isUnfinished) == [false, false])
    try former.write(to: place)
    try open(place)
  }

  /// The file of before is put back after a rekey whose end was not noted. Its opening must not remove the key of the
  /// file that had its name.
  @Test func aFileThatIsPutBackEndsNothing() throws {
    let former = try interrupted(afterRename: true)
    let aside = scratch.folder.appendingPathComponent("aside.db")
    try FileManager.default.moveItem(at: scratch.file, to: aside)
    try former.write(to: scratch.file)
    try open()
    try open(aside)
    #expect(try EncryptedDatabase.keys(of: key).count == 2)
  }

  /// The salt of the file that was moved away is public, so a file that begins with it is not the copy of a rekey.
  @Test func aFileThatBeginsLikeTheCopyRemovesNoKey() throws {
    let former = try interrupted(afterRename: true)
    let aside = scratch.folder.appendingPathComponent("aside.db")
    try FileManager.default.moveItem(at: scratch.file, to: aside)
    try former.write(to: scratch.file)
    let forged = URL(fileURLWithPath: scratch.file.path + ".atrest-rekey")
    try Data(contentsOf: aside).prefix(16).write(to: forged)
    try open()
    #expect(!FileManager.default.fileExists(atPath: forged.path))
    try open(aside)
  }

  /// A copy of the file at another place has the same salt. Its opening must not end the rekey of the original.
  @Test func aCopyElsewhereEndsNothing() throws {
    try interrupted(afterRename: false)
    let copy = scratch.folder.appendingPathComponent("copy.db")
    try FileManager.default.copyItem(at: scratch.file, to: copy)
    try open(copy)
    #expect(try EncryptedDatabase.keys(of: key).count == 2)
    // The copy of the rekey, moved and opened, does not remove the key of the file either.
    let moved = scratch.folder.appendingPathComponent("moved.db")
    try FileManager.default.moveItem(
      atPath: scratch.file.path + ".atrest-rekey", toPath: moved.path)
    try open(moved)
    #expect(try EncryptedDatabase.keys(of: key).count == 2)
    try open()
  }
}
