import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// If a process ends at any write of a change, the store is either unchanged or completely changed.
@Suite struct CrashTests {
  private enum Change: CaseIterable {
    case set, change, remove

    var before: String? { self == .set ? nil : "before" }
    var after: String? { self == .remove ? nil : "after it" }

    func make(_ keybag: Keybag) throws {
      switch self {
      case .set: try keybag.set("after it")
      case .change: try keybag.change("before", "after it")
      case .remove: try keybag.remove("before")
      }
    }
  }

  private static func opens(_ keybag: Keybag, _ passcode: String?) -> Bool {
    guard let passcode else { return !keybag.hasPasscode && keybag.lockState == .unlocked }
    return keybag.hasPasscode && refusal { try keybag.unlock(passcode) } == nil
  }

  /// Returns the number of writes of an uninterrupted change.
  private static func writes(_ change: Change) throws -> Int {
    let store = try MemoryStore(passcode: change.before)
    let limit = WriteLimit()
    let keybag = try Keybag.open(
      in: UnsteadyStorage(store.storage, limit), device: UnsteadyDevice(store.device, limit))
    try change.make(keybag)
    return limit.count
  }

  @Test(arguments: Change.allCases)
  private func aChangeIsMadeWholeOrNotAtAll(_ change: Change) throws {
    let count = try Self.writes(change)
    #expect(count >= 3, "record, keybag, record")
    var outcomes: [Bool] = []
    for number in 0..<count {
      let store = try MemoryStore(passcode: change.before)
      let wrapped = try store.keybag.wrapAll()
      let former = try #require(try store.storage.read("keybag"))
      let limit = WriteLimit(number)
      let keybag = try Keybag.open(
        in: UnsteadyStorage(store.storage, limit), device: UnsteadyDevice(store.device, limit))
      // The next opening completes the last write of a change.
      do { try change.make(keybag) } catch is WriteLimit.Ended {}
      let next = try store.open()
      let isNew = try store.storage.read("keybag") != former
      outcomes.append(isNew)
      #expect(Self.opens(next, isNew ? change.after : change.before), "\(change) \(number)")
      for (keyClass, data) in wrapped
      where keyClass != .whenPasscodeSetThisDeviceOnly || !isNew || change == .change {
        #expect(next.opens(data, keyClass), "\(change) \(number)")
      }
      #expect(!next.risks.contains { $0.id == "former-passcode-in-place" })
      // The state that the next opening settled stays settled: the other keybag is useless.
      if isNew {
        try store.storage.replace("keybag", with: former)
        #expect(refusal { try store.open().lockState } == .rolledBack)
      }
    }
    #expect(outcomes.contains(true) && outcomes.contains(false))
    #expect(outcomes == outcomes.sorted { !$0 && $1 }, "One write is the point of no return.")
  }

  @Test func aRecordThatCouldNotBeSettledIsARisk() throws {
    let store = try MemoryStore(passcode: "before")
    // Attempt, reset, record, keybag: the record is not settled.
    let limit = WriteLimit(4)
    let keybag = try Keybag.open(
      in: UnsteadyStorage(store.storage, limit), device: UnsteadyDevice(store.device, limit))
    try keybag.change("before", "after it")
    #expect(keybag.risks.contains { $0.id == "former-passcode-in-place" })
    #expect(try !store.open().risks.contains { $0.id == "former-passcode-in-place" })
  }

  @Test(arguments: [nil, "a passcode"])
  func aStoreIsMadeWholeOrNotAtAll(_ passcode: String?) throws {
    var number = 0
    while true {
      let memory = MemoryStorage()
      let device = MemoryDeviceKey()
      let limit = WriteLimit(number)
      do {
        _ = try Keybag.create(
          in: UnsteadyStorage(memory, limit), device: UnsteadyDevice(device, limit),
          passcode: passcode.map { SecretBox(SecretBytes(utf8: $0)) }, options: .forTesting())
        break
      } catch is WriteLimit.Ended {
        if try memory.read("keybag") == nil {
          #expect(refusal { try Keybag.open(in: memory, device: device) } == .notFound)
          _ = try Keybag.create(
            in: memory, device: device, passcode: nil, options: .forTesting())
        }
        let opened = try Keybag.open(in: memory, device: device)
        if let passcode, opened.hasPasscode { try opened.unlock(passcode) }
        #expect(opened.lockState == .unlocked)
      }
      number += 1
    }
    #expect(number == 4, "record, attempts, keybag, record")
  }

  @Test func aWipeThatWasCutOffIsAWipe() throws {
    var outcomes: [AtRestError.Code?] = []
    for number in 0..<8 {
      let store = try MemoryStore(passcode: "before")
      try store.storage.replace("keychain.db", with: Data([1]))
      let keybag = try #require(try store.storage.read("keybag"))
      let limit = WriteLimit(number)
      let failing = try Keybag.open(
        in: UnsteadyStorage(store.storage, limit), device: UnsteadyDevice(store.device, limit))
      do { try failing.wipe() } catch is WriteLimit.Ended {}
      let outcome = refusal { try store.open().lockState }
      #expect([nil, .wiped, .notFound].contains(outcome), "\(number)")
      outcomes.append(outcome)
      // A copy that is put back is wiped as well, whenever the wipe was interrupted.
      try store.storage.replace("keybag", with: keybag)
      #expect(refusal { try store.open().lockState } == (number == 0 ? nil : .wiped))
    }
    #expect(outcomes.first == .some(nil), "Nothing was written.")
    #expect(!outcomes.dropFirst().contains(nil))
  }
}
