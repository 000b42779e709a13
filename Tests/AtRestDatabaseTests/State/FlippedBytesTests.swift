import AtRestCrypto
import AtRestDatabase
import Foundation
import Testing

/// Whatever byte of a database, its log or its state is changed, no row is wrong.
struct FlippedBytesTests {
  private static let step = Ledger.isLong ? 1 : 41

  @Test(arguments: ["", "-wal", "-state"]) func noRowIsWrong(suffix: String) throws {
    let scratch = try Scratch()
    try scratch.fill()
    let files = try scratch.contentsAfterCrash("UPDATE t SET b = 2", "UPDATE t SET b = 3")
    let whole = try #require(files["notes.db\(suffix)"])
    var outcomes: [String: Int] = [:]
    for offset in stride(from: 0, to: whole.count, by: Self.step) {
      var flipped = whole
      flipped[offset] ^= 0x10
      try scratch.restore(files)
      try flipped.write(to: scratch.url(suffix))
      let outcome: String
      switch scratch.rows() {
      case .failure(let error): outcome = error.code.rawValue
      case .success((1...5).map { "\($0)=3" }): outcome = "same"
      case .success((1...5).map { "\($0)=2" }): outcome = "one transaction less"
      case .success((1...5).map { "\($0)=1" }): outcome = "two transactions less"
      case .success: outcome = "wrong"
      }
      outcomes[outcome, default: 0] += 1
      #expect(outcome != "wrong", "byte \(offset)")
    }
    print("bytes of notes.db\(suffix):", outcomes.sorted { $0.key < $1.key })
    // Pages of the database that are in the log are not read.
    #expect(outcomes.count > 1 || suffix.isEmpty)
  }

  @Test func everyByteOfTheDatabaseIsAuthenticated() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let whole = try Data(contentsOf: scratch.file)
    for offset in stride(from: 0, to: whole.count, by: Self.step) {
      var flipped = whole
      flipped[offset] ^= 0x10
      try flipped.write(to: scratch.file)
      #expect(scratch.refusal() != nil, "byte \(offset)")
    }
    try whole.write(to: scratch.file)
    #expect(scratch.refusal() == nil)
  }
}
