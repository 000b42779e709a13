import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A file in another format than the named one has an error that says so.
struct FormatErrorTests {
  @Test func aFileOfSQLCipherIsNamed() throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try queue.close()
    #expect(scratch.refusal() == .invalidArgument)
    #expect("\(scratch.rows())".contains("SQLCipher 4"))
  }

  @Test func aFileOfAtRestIsNamed() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let error = #expect(throws: AtRestError.self) { try scratch.openQueue().close() }
    #expect(error?.code == .invalidArgument)
    #expect("\(error!)".contains("AtRest's format"))
  }

  @Test func plaintextIsNamed() throws {
    let scratch = try Scratch()
    let queue = try DatabaseQueue(path: scratch.file.path)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try queue.close()
    #expect(scratch.refusal() == .notProtected)
  }

  @Test func aLaterVersionIsNamed() throws {
    let scratch = try Scratch()
    try scratch.fill()
    var data = try Data(contentsOf: scratch.file)
    data[3] = 2
    try data.write(to: scratch.file)
    #expect(scratch.refusal() == .unsupportedVersion)
  }

  @Test func theWrongKeyIsRefused() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    #expect(scratch.refusal(key: other) == .authenticationFailed)
  }

  @Test func theSizeOfPagesIsReadFromTheFile() throws {
    let scratch = try Scratch()
    var format = DatabaseFormat.atrest
    format.pageSize = 16_384
    let queue = try scratch.openQueue(format)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2)") }
    try queue.close()
    #expect(try scratch.rows().get() == ["1=2"])
  }

  @Test func otherSettingsAreRefused() throws {
    let scratch = try Scratch()
    var format = DatabaseFormat.atrest
    format.rounds = 1000
    let error = #expect(throws: AtRestError.self) { try scratch.openQueue(format) }
    #expect(error?.code == .invalidArgument)
    let long = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 48)))
    #expect(scratch.refusal(key: long) == .invalidArgument)
  }
}
