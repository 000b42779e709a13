import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A process that is stopped does not hinder an event of the store, and learns of it before it gives
/// anything out.
@Suite struct StoppedProcessTests {
  @Test(arguments: ["read-unread", "add", "value", "handle-read", "handle-always", "protect"])
  func aWipeIsNoticedAtTheNextUse(_ use: String) throws {
    let witness = try WitnessProcess()
    // Control
    #expect(try witness.answer(use) == "done")
    witness.stop()
    // The use is waiting when the process continues.
    try witness.begin(use)
    let start = ContinuousClock.now
    try witness.keybag().wipe()
    #expect(ContinuousClock.now - start < .seconds(25), "The wipe did not wait.")
    witness.go()
    #expect(witness.line() == "\(use) wiped")
  }

  @Test(arguments: ["read-unread", "value", "handle-read"])
  func aLockIsNoticedAtTheNextUse(_ use: String) throws {
    let witness = try WitnessProcess()
    witness.stop()
    try witness.begin(use)
    try witness.keybag().lockEverywhere()
    witness.go()
    #expect(witness.line() == "\(use) locked")
  }

  /// A process that was stopped inside a transaction reports no success for what is gone.
  @Test func aTransactionThatIsUnderWayIsLost() throws {
    let witness = try WitnessProcess()
    try witness.begin("transaction")
    #expect(witness.line() == "waiting")
    witness.stop()
    try witness.keybag().wipe()
    witness.go()
    try witness.begin("")
    #expect(witness.line() == "transaction wiped")
    #expect(witness.names.isSubset(of: ["lock"]), "\(witness.names)")
  }

  /// Control: without a wipe, the transaction is committed.
  @Test func aTransactionThatGoesOnIsCommitted() throws {
    let witness = try WitnessProcess()
    try witness.begin("transaction")
    #expect(witness.line() == "waiting")
    witness.stop()
    witness.go()
    try witness.begin("")
    #expect(witness.line() == "transaction done")
  }
}
