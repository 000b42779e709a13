import AtRestCrypto
import Foundation

/// Setting, changing and removing the passcode.
///
/// Each of these operations replaces the effaceable key, so copies of the former keybag open
/// nothing.
extension Keybag {
  /// Sets the first passcode. New class keys are created, and no data is touched.
  ///
  /// The former class keys are kept under the new passcode, so that existing data can be read.
  /// Rewrapping protected files makes them use the new keys.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if a passcode is set (change it instead);
  ///   ``AtRestError/Code/invalidArgument`` if the new passcode is empty, if it is shorter than
  ///   `shortestPasscode` and the options do not allow that, or if the store already has 255 sets
  ///   of class keys.
  public func setPasscode(
    _ passcode: borrowing SecretBytes, options: Options = Options()
  ) throws {
    let shared = SecretBox(passcode.duplicate())
    let isWeak = try Self.isWeak(passcode: shared, allowed: options.allowsWeakPasscode)
    try changing { state in
      guard !state.file.hasPasscode else {
        throw AtRestError(
          .duplicate, "The store in \(storage.location) already has a passcode.",
          remedy: "Change the passcode instead, which requires the current one.")
      }
      var keys = try unwrapAll(state.file, passcode: nil, effaceable: effaceable(state))
      guard state.file.sets.count < KeybagFile.setLimit else {
        throw AtRestError(
          .invalidArgument,
          "The store in \(storage.location) has had \(KeybagFile.setLimit) first passcodes, and "
            + "keeps the class keys of each.",
          remedy: "Make a backup, and restore it into a new store.")
      }
      keys.present = state.file.present.number + 1
      keys.add(ClassKeys.random(forPasscode: true), as: keys.present)
      try rewrap(&state, keys, passcode: shared) { file in
        file.isPasscodeWeak = isWeak
        file.attemptLimit = options.attemptLimit
        file.kdf = options.kdf
      }
    }
    try followLocks()
  }

  /// Replaces the passcode. Class keys are rewrapped; no data is touched.
  ///
  /// - Parameters:
  ///   - kdf: The cost of the new passcode. nil keeps the current cost.
  ///   - allowsWeakPasscode: True to accept a passcode shorter than `shortestPasscode`.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the new passcode is empty, or is weak and
  ///   not allowed; the errors of `unlock(passcode:)` for the current passcode.
  public func changePasscode(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF? = nil,
    allowsWeakPasscode: Bool = false
  ) throws {
    let new = SecretBox(new.duplicate())
    let isWeak = try Self.isWeak(passcode: new, allowed: allowsWeakPasscode)
    try attempt(SecretBox(old.duplicate())) { state, keys in
      try rewrap(&state, keys, passcode: new) { file in
        file.isPasscodeWeak = isWeak
        if let kdf { file.kdf = kdf }
      }
    }
  }

  /// Removes the passcode, and permanently destroys the class key of when-passcode-set items.
  ///
  /// The items of that class are lost. `Keychain.count(_:)` says before how many there are.
  ///
  /// - Throws: The errors of `unlock(passcode:)`.
  public func removePasscode(_ passcode: borrowing SecretBytes) throws {
    try attempt(SecretBox(passcode.duplicate())) { state, keys in
      var keys = keys
      keys.keep { $1 != .whenPasscodeSetThisDeviceOnly }
      try rewrap(&state, keys, passcode: nil) { $0.isPasscodeWeak = false }
    }
    state.withLock { $0.lockObservers }.forEach { $0() }
  }

  /// True if the device has a secret for the passcode, so that each attempt needs the device: see
  /// ``DeviceKeyProvider/makePasscodeSecret(authorization:)``.
  package var isPasscodeBound: Bool { state.withLock { !$0.file.passcodeSecret.isEmpty } }

  /// Gives the passcode a secret in the device, if the device can keep one, as a change of the passcode
  /// does.
  ///
  /// - Throws: The errors of `unlock(passcode:)`.
  package func bindPasscode(_ passcode: borrowing SecretBytes) throws {
    let shared = SecretBox(passcode.duplicate())
    try attempt(shared) { try rewrap(&$0, $1, passcode: shared) }
  }

  /// Removes the passcode's secret in the device, so that the device key can be moved out of it.
  ///
  /// - Throws: The errors of `unlock(passcode:)`.
  package func releasePasscode(_ passcode: borrowing SecretBytes) throws {
    let shared = SecretBox(passcode.duplicate())
    try attempt(shared) { try rewrap(&$0, $1, passcode: shared, isBoundToDevice: false) }
  }

  /// Reads the keybag again, then runs a closure with it, both while holding the device's lock.
  func changing(_ body: (inout State) throws -> Void) throws {
    try tellingOfLostKeys {
      try Self.inTurn(device, store) {
        try state.withLock { state in
          try reload(&state)
          try body(&state)
        }
      }
    }
  }
}
