import Testing

/// SQLite undoes a transaction after some errors. What the caller then does in it must not be stored alone.
@Suite struct UndoneTransactionTests {
  @Test func nothingThatFollowsACaughtErrorIsStored() throws {
    let scratch = try Scratch()
    #expect(try Worker("make", scratch).finish().status == 0)
    let (said, signal, status) = try Worker("undone", scratch).finish()
    #expect(signal == 0 && status == 0, "\(said)")
    #expect(
      said == [
        "add system", "update system", "transaction system", "secret old", "problems 0",
        "later done",
      ])
  }
}
