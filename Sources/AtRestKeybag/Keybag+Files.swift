import AtRestCrypto
import Crypto
import Foundation

/// The files of a keybag, as other processes change them too, and the wrapping of class keys in them.
extension Keybag {
  /// Reads the files again, after another process may have changed the passcode or wiped the store.
  package func refresh() throws {
    try tellingOfLostKeys {
      try state.withLock { state in
        try adopt(&state) { try Self.load(storage, device, known: store) }
      }
    }
  }

  /// Runs a piece of work, and has erased what depends on class keys that went away in it.
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

  /// The number drawn with each class key that is in memory.
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

  // MARK: What other processes change

  /// Reads the keybag again in turn, and completes or drops a change that ended early.
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
        "The store in \(storage.location) and the device folder were put back to an older state.",
        remedy: "Open the store again if you did that on purpose.")
    }
    let former = state.file
    state.file = loaded.file
    // Another process may have removed the passcode, and set one anew: the class has another key.
    state.keys.keep { number, keyClass in
      let id = loaded.file.entry(keyClass, set: number)?.id
      return id != nil && id == former.entry(keyClass, set: number)?.id
    }
    guard state.effaceable != nil else { return }
    state.effaceable = loaded.effaceable
    guard loaded.file.present.number != former.present.number else { return }
    try adoptNewKeys(&state)
  }

  /// After another process drew new class keys: an unlocked store stays unlocked only where no
  /// passcode is needed for them.
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

  /// Replaces the keybag and both shares of the effaceable key, in turn. The former keybag opens
  /// nothing from then on.
  ///
  /// The device's record first holds the present and the next share. The keybag that is then put in
  /// place decides which one counts, and the record drops the other.
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
    // The change is in place and durable. What is left to do is done at the next opening where it
    // fails here, and ``risks`` names it until then.
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
