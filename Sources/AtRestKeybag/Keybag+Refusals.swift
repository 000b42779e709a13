import AtRestCrypto

/// The errors that explain why a class key cannot be used now.
extension Keybag {
  /// Returns the error that explains why a class key is not in memory. `docs/Architecture.md` lists
  /// the reasons under *Why a read was refused*.
  package func refusal(of keyClass: KeyClass) -> AtRestError {
    if let end { return end }
    if keyClass == .whenPasscodeSetThisDeviceOnly && !hasPasscode {
      return AtRestError(
        .passcodeNotSet, "Class \(keyClass.name) requires a passcode, but none is set.",
        remedy: "Set a passcode first, or choose another class.")
    }
    if state.withLock({ $0.effaceable == nil }) { return refusalWhenClosed }
    let state =
      lockState == .beforeFirstUnlock ? "The store is not unlocked yet" : "The store is locked"
    return AtRestError(
      .locked, "\(state), and class \(keyClass.name) requires it to be unlocked.",
      remedy: "Unlock it with the passcode and try again.")
  }

  /// The error of a call on a keybag that was closed.
  var refusalWhenClosed: AtRestError {
    AtRestError(
      .locked, "The store in \(storage.location) is closed.", remedy: "Open it again.")
  }

  /// The error of a call on a keybag that has no keys at all.
  func refusalWithoutKeys(_ state: borrowing State) -> AtRestError {
    state.events.end ?? refusalWhenClosed
  }
}
