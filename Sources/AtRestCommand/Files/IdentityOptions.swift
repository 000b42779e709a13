import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain

/// The private key of a recipient of files.
struct IdentityOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The private key of a recipient, in PEM or DER, - for standard input.", valueName: "file"))
  var identity: String?

  @Option(
    help: ArgumentHelp(
      "A recipient's key pair, which stays in the store.", valueName: "tag"))
  var keyTag: String?

  var isGiven: Bool { identity != nil || keyTag != nil }

  func validate() throws {
    guard identity == nil || keyTag == nil else {
      throw ValidationError("Use either --identity or --key-tag, not both.")
    }
  }

  /// Returns the protected files that the key pair in the store can open.
  func files(
    _ keybag: Keybag, _ passcode: SecretBox?, usesAgent: Bool
  ) throws -> ProtectedFiles {
    let tag = keyTag ?? ""
    let keychain = try Keychain.open(
      keybag, identity: .owner(), authenticator: TerminalUser(passcode: passcode),
      usesAgent: usesAgent)
    // All files share one context, so the user is asked only once. An agent asks its user for each.
    let context = AuthenticationContext(reason: "Open the files")
    return try ProtectedFiles(identity: keychain.publicKey(tag: tag)) { ephemeral in
      try keychain.sharedSecret(with: ephemeral, tag: tag, context: context)
    }
  }
}
