import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// Two keybags on one folder, as in two processes, see each other's changes.
@Suite struct OtherProcessTests {
  private struct Pair {
    // Removed together with the two keybags.
    let folder = TemporaryFolder()
    let one: Keybag
    let two: Keybag

    init(passcode: String?) throws {
      let devices = folder.url.appendingPathComponent("device")
      let store = folder.url.appendingPathComponent("store")
      let options = Keybag.Options.forTesting()
      if let passcode {
        one = try Keybag.create(
          at: store, device: FileDeviceKey.openOrCreate(in: devices),
          passcode: SecretBytes(utf8: passcode),
          options: options)
      } else {
        one = try Keybag.create(
          at: store, device: FileDeviceKey.openOrCreate(in: devices), options: options)
      }
      two = try Keybag.open(at: store, device: FileDeviceKey.openOrCreate(in: devices))
    }
  }

  @Test func aChangedPasscodeIsSeen() throws {
    let pair = try Pair(passcode: "1234")
    try pair.one.change("1234", "5678")
    #expect(refusal { try pair.two.unlock("1234") } == .authenticationFailed)
    #expect(try pair.one.failedAttempts() == 1)
    try pair.two.unlock("5678")
    let wrapped = try pair.one.wrapAll()
    for (keyClass, data) in wrapped { #expect(pair.two.opens(data, keyClass)) }
  }

  @Test func aPasscodeSetIsSeen() throws {
    let pair = try Pair(passcode: nil)
    try pair.one.set("1234")
    pair.two.lock()
    #expect(refusal { try pair.two.unlock() } == .authenticationFailed)
    #expect(pair.two.hasPasscode)
    #expect(refusal { try pair.two.set("5678") } == .duplicate)
    try pair.two.unlock("1234")
    #expect(pair.two.available == .all)
  }

  @Test func aPasscodeRemovedIsSeen() throws {
    let pair = try Pair(passcode: "1234")
    try pair.two.unlock("1234")
    let told = Counter()
    pair.two.onLock { told.add() }
    try pair.one.remove("1234")
    try pair.two.refresh()
    #expect(!pair.two.hasPasscode)
    #expect(pair.two.available == .withoutPasscode)
    #expect(told.value > 0, "What hangs on the lost class key is erased.")
    #expect(refusal { try pair.two.unlock("1234") } == .passcodeNotSet)
  }

  @Test func aPasscodeRemovedAndSetAnewLeavesNoOldKey() throws {
    let pair = try Pair(passcode: "1234")
    try pair.two.unlock("1234")
    let old = try #require(try pair.two.wrapAll()[.whenPasscodeSetThisDeviceOnly])
    try pair.one.remove("1234")
    try pair.one.set("1234")
    try pair.two.refresh()
    // A key that the other keybag wrapped under the destroyed key now would be lost.
    #expect(!pair.two.isAvailable(.whenPasscodeSetThisDeviceOnly))
    try pair.two.unlock("1234")
    #expect(!pair.two.opens(old, .whenPasscodeSetThisDeviceOnly))
    let new = try #require(try pair.one.wrapAll()[.whenPasscodeSetThisDeviceOnly])
    #expect(pair.two.opens(new, .whenPasscodeSetThisDeviceOnly))
  }

  @Test func aWipeIsSeen() throws {
    let pair = try Pair(passcode: "1234")
    try pair.two.unlock("1234")
    try pair.one.wipe()
    #expect(refusal { try pair.two.refresh() } == .wiped)
    #expect(pair.two.available.isEmpty)
    #expect(refusal { try pair.two.unlock("1234") } == .wiped)
    #expect(refusal { try pair.two.set("1234") } == .wiped)
  }

  @Test func attemptsAreCountedTogether() throws {
    let pair = try Pair(passcode: "1234")
    for keybag in [pair.one, pair.two, pair.one, pair.two, pair.one] {
      #expect(refusal { try keybag.unlock("x") } == .authenticationFailed)
    }
    #expect(refusal { try pair.two.unlock("1234") } == .throttled)
    #expect(try pair.two.failedAttempts() == 5)
  }

  @Test func aKeybagBeingWrittenIsNeverTakenForAnOlderOne() async throws {
    let pair = try Pair(passcode: "1234")
    let (one, two) = (pair.one, pair.two)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<40 {
          try one.change(
            number.isMultiple(of: 2) ? "1234" : "5678",
            number.isMultiple(of: 2) ? "5678" : "1234")
        }
      }
      group.addTask { for _ in 0..<400 { try two.refresh() } }
      try await group.waitForAll()
    }
    try two.unlock("1234")
  }
}
