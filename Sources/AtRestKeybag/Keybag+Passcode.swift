import AtRestCrypto
import CAtRestSystem
import Foundation

/// Setting, changing and removing the passcode, and what an attempt at it costs.
extension Keybag {
  /// Sets the first passcode. Class keys are rewrapped; no data is touched.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where one is set (change it instead);
  ///   ``AtRestError/Code/invalidArgument`` where it is empty.
  public func setPasscode(
    _ passcode: borrowing SecretBytes, options: Options = Options()
  ) throws {
    let shared = SecretBox(passcode.duplicate())
    try changing { state in
      guard !state.file.hasPasscode else {
        throw AtRestError(
          .duplicate, "The store in \(storage.location) has a passcode already.",
          remedy: "Change it, which asks for the present one.")
      }
      var keys = try unwrapAll(state.file, passcode: nil, effaceable: effaceable(state))
      keys[.whenPasscodeSetThisDeviceOnly] = SecretBox(.random(count: 32))
      state.file.attemptLimit = options.attemptLimit
      try rewrap(&state, keys, passcode: shared, kdf: options.kdf)
    }
  }

  /// Replaces the passcode. Class keys are rewrapped; no data is touched.
  ///
  /// - Throws: As ``unlock(passcode:)`` for the present one.
  public func changePasscode(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF? = nil
  ) throws {
    let new = SecretBox(new.duplicate())
    try Self.check(passcode: new)
    try attempt(SecretBox(old.duplicate())) { state, keys in
      try rewrap(&state, keys, passcode: new, kdf: kdf ?? state.file.kdf)
    }
  }

  /// Removes the passcode, and with it the class key of when-passcode-set items, for good.
  ///
  /// - Throws: As ``unlock(passcode:)``.
  public func removePasscode(_ passcode: borrowing SecretBytes) throws {
    try attempt(SecretBox(passcode.duplicate())) { state, keys in
      var keys = keys
      keys[.whenPasscodeSetThisDeviceOnly] = nil
      try rewrap(&state, keys, passcode: nil, kdf: state.file.kdf)
    }
    state.withLock { $0.lockObservers }.forEach { $0() }
  }

  /// Runs in turn, over the files as they are now.
  func changing(_ body: (inout State) throws -> Void) throws {
    try tellingOfLostKeys {
      try storage.exclusively {
        try state.withLock { state in
          try reload(&state, mayWrite: true)
          try body(&state)
        }
      }
    }
  }

  func attempt(
    _ passcode: SecretBox,
    then body: (inout State, [KeyClass: SecretBox]) throws -> Void
  ) throws {
    defer { atrest_erase_stack() }
    try tellingOfLostKeys { try storage.exclusively { try attemptInTurn(passcode, then: body) } }
  }

  func attemptInTurn(
    _ passcode: SecretBox,
    then body: (inout State, [KeyClass: SecretBox]) throws -> Void
  ) throws {
    let (file, effaceable) = try state.withLock { state in
      try reload(&state, mayWrite: true)
      return (state.file, try self.effaceable(state))
    }
    guard file.hasPasscode else {
      throw AtRestError(
        .passcodeNotSet, "The store in \(storage.location) has no passcode.",
        remedy: "Use it without one, or set one first.")
    }
    guard var record = try DeviceRecord.load(store, from: device) else {
      throw AtRestError(
        .rolledBack, "The device does not remember the store in \(storage.location).",
        remedy: "If you put it there yourself, accept it: atrest restore --accept-older.")
    }
    let now = clock()
    let delay = record.delay(at: now)
    guard delay == 0 else {
      throw AtRestError(
        .throttled,
        "\(record.failedAttempts) wrong passcodes: the next attempt is in \(delay) seconds.",
        remedy: "Wait, and try again.")
    }
    record.failedAttempts += 1
    record.lastAttempt = now
    try record.save(store, to: device)
    // The KDF takes its time while other threads go on using the keys that are there.
    let keys: [KeyClass: SecretBox]
    do {
      keys = try unwrapAll(file, passcode: passcode, effaceable: effaceable)
    } catch AtRestError.Code.authenticationFailed
      where file.attemptLimit > 0 && record.failedAttempts >= file.attemptLimit
    {
      try state.withLock { try wipe(&$0) }
      throw AtRestError(
        .wiped,
        "The store in \(storage.location) was wiped after \(record.failedAttempts) wrong "
          + "passcodes.",
        remedy: "Make a new store and restore a backup.")
    }
    record.failedAttempts = 0
    try record.save(store, to: device)
    try state.withLock { state in
      guard state.effaceable != nil else { throw refusalWhenClosed }
      try body(&state, keys)
    }
  }

  var refusalWhenClosed: AtRestError {
    AtRestError(
      .locked, "The store in \(storage.location) is closed or wiped.", remedy: "Open it again.")
  }
}
