import AtRestCrypto

extension AtRestError {
  /// The error of a call that finds the store locked in this process, and that the agent which serves the
  /// store does not carry out.
  ///
  /// - Parameter lack: The reason in words, such as `carries out no transactions`.
  static func lockedHere(_ lack: String, cause: AtRestError) -> AtRestError {
    AtRestError(
      .locked,
      "This process has not unlocked the store. The agent that serves it \(lack), which this call "
        + "needs.",
      remedy: "Unlock the store in this process too, with unlock(passcode:) of the vault or the "
        + "keybag. atrest unlock does not help here.", cause: cause)
  }
}
