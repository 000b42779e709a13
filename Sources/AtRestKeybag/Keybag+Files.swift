import AtRestCrypto
import Crypto
import Foundation

/// The files of a keybag, which other processes may change too.
extension Keybag {
  /// Reads the files again, because another process may have changed the passcode or wiped the
  /// store.
  package func refresh() throws { try refresh(tellingLater: false) }

  /// - Parameter later: True to notify the lock observers on another thread.
  func refresh(tellingLater later: Bool) throws {
    try tellingOfLostKeys(later: later) {
      try state.withLock { state in
        try adopt(&state) { try Self.load(storage, device, known: store) }
      }
    }
  }

  /// Runs a closure. If class keys were lost or replaced meanwhile, notifies the lock observers,
  /// which erase all data that depends on these keys.
  func tellingOfLostKeys<Result>(
    later: Bool = false, _ body: () throws -> Result
  ) rethrows -> Result {
    let before = keyIdentifiers()
    let number = lastErasure.number
    defer {
      let after = keyIdentifiers()
      if lastErasure.number != number || before.contains(where: { after[$0.key] != $0.value }) {
        later ? tellLockObserversLater() : tellLockObservers()
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

  /// Reads the keybag again, and completes or drops an interrupted change. Call this method only
  /// while holding the device's lock.
  func reload(_ state: inout State) throws {
    try adopt(&state) { try Self.loadFinishing(storage, device, store) }
  }

  private func adopt(_ state: inout State, _ load: () throws -> LoadedKeybag) throws {
    if let end = state.events.end { throw end }
    let marks = sight.marks()
    let loaded: LoadedKeybag
    do {
      loaded = try load()
    } catch let error as AtRestError where error.code == .wiped || error.code == .otherStore {
      state.end(error)
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
    state.events.marks = marks
    let wasUnlocked = state.lockState == .unlocked || state.events.wasUnlocked
    // A change of the passcode by another process locks this one. Only that process stays unlocked. With
    // each change, the class keys are wrapped under another salt.
    if loaded.file.salt != former.salt, loaded.file.hasPasscode { state.lock(after: .passcode) }
    // Another process may have removed the passcode and set a new one. The when-passcode-set class
    // then has a new key.
    state.keys.keep { number, keyClass in
      let id = loaded.file.entry(keyClass, set: number)?.id
      return id != nil && id == former.entry(keyClass, set: number)?.id
    }
    guard state.effaceable != nil else { return }
    state.effaceable = loaded.effaceable
    if loaded.file.present.number != former.present.number { try adoptNewKeys(&state) }
    guard former.hasPasscode, !loaded.file.hasPasscode, wasUnlocked else { return }
    // A store without a passcode needs no unlock, so its removal locks nobody.
    state.keys.merge(try unwrapAll(state.file, passcode: nil, effaceable: effaceable(state)))
    state.lockState = .unlocked
    (state.events.followsLocks, state.events.wasUnlocked) = (false, false)
  }

  /// Adopts the class keys that another process created. An unlocked store stays unlocked only if
  /// the new keys need no passcode.
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

  /// Replaces the keybag by its next generation. Call this method only while holding the device's
  /// lock.
  ///
  /// The device's record first holds both the current share and the next one. Once the new keybag
  /// is written, the record keeps only the next share. If the change is interrupted, the keybag
  /// that the store has shows which share to keep.
  func replace(
    _ file: inout KeybagFile, _ shares: KeyShares, former: KeybagFile
  ) throws {
    guard
      let record = try DeviceRecord.load(store, from: device)?.settled(on: former.generation)
    else { throw Self.wiped(storage.location) }
    file.generation = former.generation + 1
    try storage.exclusivelyInPlace {
      try checkInPlace()
      try record.beginning(shares.device).save(store, to: device)
      try Self.write(file, shares, to: storage, device)
    }
    // The new keybag is written and durable. If updating the record fails, the next opening of the
    // store completes the change, and ``risks`` lists the interrupted change until then.
    try? DeviceRecord(generation: file.generation, share: shares.device).save(store, to: device)
  }

  /// Writes the keybag with further keys of former stores, in the same generation and under the same
  /// effaceable key. Call this method only while holding the device's lock.
  ///
  /// An older copy of the store still opens afterwards. It lacks these keys, which the next restore of
  /// the backup brings back.
  func amend(_ file: KeybagFile, _ effaceable: SecretBox) throws {
    try storage.exclusivelyInPlace {
      try checkInPlace()
      try Self.write(file, KeyShares(of: effaceable), to: storage, device)
    }
  }

  /// Throws if the folder has another store now, or was emptied without the device's lock.
  private func checkInPlace() throws {
    guard try isInPlace() else { throw Self.wiped(storage.location, "was replaced by another") }
    guard try storage.contains(Self.fileName) else {
      throw try Self.missing(storage, device, known: store)
    }
  }

  /// Replaces the keybag and both shares of the effaceable key, so that the former keybag opens
  /// nothing. Call this method only while holding the device's lock.
  ///
  /// - Parameter isBoundToDevice: False to leave out the device's passcode secret.
  func rewrap(
    _ state: inout State, _ keys: ClassKeys, passcode: SecretBox?, isBoundToDevice: Bool = true,
    changing change: (inout KeybagFile) -> Void = { _ in }
  ) throws {
    guard let indexKey = state.indexKey else { throw refusalWithoutKeys(state) }
    let shares = KeyShares.random()
    var file = state.file
    change(&file)
    file.hasPasscode = passcode != nil
    try Self.seal(
      keys, indexKey, into: &file, passcode: passcode, effaceable: shares.joined, device: device,
      isBoundToDevice: isBoundToDevice)
    // The other processes lock the store before the keybag changes, and read it again afterwards.
    let notice = (try? notice).flatMap { $0 }
    announce(notice, &state)
    defer { announce(notice, &state) }
    try replace(&file, shares, former: state.file)
    state.events.marks = sight.marks()
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
