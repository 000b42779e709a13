import AtRestCrypto
import Crypto
import Foundation

/// The files of a keybag, which other processes may change too.
extension Keybag {
  /// Reads the files again, because another process may have changed the passcode or wiped the
  /// store.
  package func refresh() throws {
    try tellingOfLostKeys {
      try state.withLock { state in
        try adopt(&state) { try Self.load(storage, device, known: store) }
      }
    }
  }

  /// Runs a closure, and notifies the observers if it lost or replaced class keys, so that they
  /// erase the data that depends on them.
  func tellingOfLostKeys<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = keyIdentifiers()
    defer {
      let after = keyIdentifiers()
      if before.contains(where: { after[$0.key] != $0.value }) {
        state.withLock { $0.lockObservers }.forEach { $0() }
      }
    }
    return try body()
  }

  private struct KeyName: Hashable {
    let set: UInt32
    let keyClass: KeyClass
  }

  /// Returns the identifiers of the class keys that are in memory.
  private func keyIdentifiers() -> [KeyName: UInt64] {
    state.withLock { state in
      var identifiers: [KeyName: UInt64] = [:]
      for (number, keys) in state.keys.sets {
        for keyClass in keys.keys {
          identifiers[KeyName(set: number, keyClass: keyClass)] =
            state.file.entry(keyClass, set: number)?.id
        }
      }
      return identifiers
    }
  }

  // MARK: Changes by other processes

  /// Reads the keybag again under the device's lock, and completes or drops an interrupted change.
  func reload(_ state: inout State) throws {
    try adopt(&state) { try Self.loadFinishing(storage, device, store) }
  }

  private func adopt(_ state: inout State, _ load: () throws -> LoadedKeybag) throws {
    let loaded: LoadedKeybag
    do {
      loaded = try load()
    } catch let error as AtRestError where error.code == .wiped || error.code == .otherStore {
      state.forgetKeys()
      throw error
    }
    guard loaded.file.generation >= state.file.generation else {
      throw AtRestError(
        .rolledBack,
        "The store in \(storage.location) and the device folder were restored to an older state.",
        remedy: "If you did this on purpose, open the store again.")
    }
    let former = state.file
    state.file = loaded.file
    // Another process may have removed the passcode and set a new one: the class then has another
    // key.
    state.keys.keep { number, keyClass in
      let id = loaded.file.entry(keyClass, set: number)?.id
      return id != nil && id == former.entry(keyClass, set: number)?.id
    }
    guard state.effaceable != nil else { return }
    state.effaceable = loaded.effaceable
    guard loaded.file.present.number != former.present.number else { return }
    try adoptNewKeys(&state)
  }

  /// Adopts the class keys that another process drew. An unlocked store stays unlocked only if they
  /// need no passcode.
  private func adoptNewKeys(_ state: inout State) throws {
    state.keys.present = state.file.present.number
    guard state.lockState == .unlocked, !state.file.hasPasscode else {
      state.keys.keep { $1.availability != .whenUnlocked }
      if state.lockState == .unlocked { state.lockState = .locked }
      return try openDeviceClasses(&state)
    }
    state.keys.merge(
      try unwrapAll(state.file, passcode: nil, effaceable: effaceable(state)))
  }

  // MARK: Replacing the keybag

  /// Replaces the keybag and both shares of the effaceable key, under the device's lock. The former
  /// keybag then opens nothing.
  ///
  /// The device's record first holds the current share and the next one. The keybag that is then
  /// put in place decides which share counts, and the record drops the other.
  func rewrap(
    _ state: inout State, _ keys: ClassKeys, passcode: SecretBox?,
    changing change: (inout KeybagFile) -> Void
  ) throws {
    guard let indexKey = state.indexKey else { throw refusalWhenClosed }
    guard
      let record = try DeviceRecord.load(store, from: device)?.settled(on: state.file.generation)
    else { throw Self.wiped(storage.location) }
    let shares = KeyShares.random()
    var file = state.file
    change(&file)
    file.generation += 1
    file.hasPasscode = passcode != nil
    try Self.seal(
      keys, indexKey, into: &file, passcode: passcode, effaceable: shares.joined, device: device)
    try storage.exclusively {
      guard try isInPlace() else { throw Self.wiped(storage.location, "was replaced by another") }
      try record.beginning(shares.device).save(store, to: device)
      try Self.write(file, shares, to: storage, device)
    }
    // The change is in place and durable. If the rest fails here, the next opening completes it,
    // and ``risks`` lists it until then.
    try? DeviceRecord(generation: file.generation, share: shares.device).save(store, to: device)
    let before = state.keys
    let isUnlocked = state.lockState == .unlocked
    state.file = file
    state.effaceable = shares.joined
    state.keys = keys
    state.keys.keep { number, keyClass in
      isUnlocked || keyClass.availability == .always || before[number, keyClass] != nil
        || number > before.present && before[keyClass] != nil
    }
  }
}
