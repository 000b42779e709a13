import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// Opens the store's keychain, and unlocks it for this command.
struct UnlockOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "A file with the passcode, - for standard input; one final newline is removed.",
      valueName: "file"))
  var passcodeFile: String?

  @Flag(help: "Do not unlock; operations that need an unlock fail (exit code 4).")
  var noUnlock = false

  func validate() throws {
    guard passcodeFile == nil || !noUnlock else {
      throw ValidationError("Use either --passcode-file or --no-unlock, not both.")
    }
    // While this process has no secret yet, the agent may see which program it is.
    if !isUnlockSpecified { AgentIntroduction.introduce(toAgentOf: store.storeFolder) }
  }

  /// True if the passcode comes from standard input, so nothing else can.
  var readsStandardInput: Bool { passcodeFile == "-" }

  /// Opens the keychain of the store.
  ///
  /// If an agent serves the store, it carries out the calls of the keychain, and the passcode is not
  /// asked for. The command uses the store directly if it was told how to unlock the store, or which
  /// store to expect.
  ///
  /// - Parameter isDirect: True to unlock the store for this command in any case.
  func open(directly isDirect: Bool = false) throws -> Keychain {
    let keybag = try store.openKeybag()
    let usesAgent = try !isDirect && usesAgent(for: keybag)
    let passcode = usesAgent ? nil : try unlock(keybag, anAgentHelps: !isDirect)
    return try Keychain.open(
      keybag, identity: .owner(), authenticator: TerminalUser(passcode: passcode),
      usesAgent: usesAgent)
  }

  /// Returns true if an agent serves the store, and the command was told neither how to unlock the
  /// store nor which store to expect. On a terminal, where the passcode can be asked for, a locked agent
  /// is not used: the command works as without one.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the agent does not answer.
  func usesAgent(for keybag: Keybag) throws -> Bool {
    guard !isUnlockSpecified, keybag.lockState != .unlocked,
      let agent = try AgentAccess.connectIfPresent(store)
    else { return false }
    guard Terminal.isPresent else { return true }
    return try agent.document(.status, as: AgentStatus.self).isUnlocked
  }

  private var isUnlockSpecified: Bool {
    let expected = ProcessInfo.processInfo.environment["ATREST_EXPECT_STORE"] ?? ""
    return passcodeFile != nil || noUnlock || store.expectStore != nil || !expected.isEmpty
  }

  /// Unlocks the store, and returns the passcode for callers that need it again. Returns nil if the
  /// store has no passcode, or with `--no-unlock`.
  ///
  /// - Parameter anAgentHelps: True if the command needs no passcode with an agent that is unlocked.
  func unlock(_ keybag: Keybag, anAgentHelps: Bool = false) throws -> SecretBox? {
    guard keybag.hasPasscode, !noUnlock else { return nil }
    let passcode = SecretBox(try readPasscode(of: keybag, anAgentHelps: anAgentHelps))
    try Interruption.givingAttemptBack { try keybag.unlock(passcode: passcode.bytes) }
    return passcode
  }

  /// Returns the current passcode, from its file or the terminal.
  ///
  /// - Throws: ``AtRestError/Code/throttled`` before it asks, if none would be tried now.
  func readPasscode(
    of keybag: @autoclosure () throws -> Keybag?, anAgentHelps: Bool = false
  ) throws -> SecretBytes {
    if let passcodeFile { return try SecretInput.passcode(in: passcodeFile) }
    guard Terminal.isPresent else {
      throw AtRestError(
        .locked, "The store is locked, and there is no terminal for the passcode.",
        remedy: anAgentHelps
          ? "Unlock it in the agent (atrest agent start, then atrest unlock), or use --passcode-file."
          : "Use --passcode-file.")
    }
    try keybag()?.refuseDelay()
    return try Terminal.passcode("Passcode")
  }
}
