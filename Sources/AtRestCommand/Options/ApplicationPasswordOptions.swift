import ArgumentParser
import AtRestCrypto
import AtRestKeychain

/// The password of an application's own, without which an item's key cannot be had.
struct ApplicationPasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the item's application password, - for standard input; one final newline is "
        + "left out.",
      valueName: "file"))
  var applicationPasswordFile: String?

  var readsStandardInput: Bool { applicationPasswordFile == "-" }

  /// A context that knows the password, where a file gives it; else the user is asked on demand.
  func context(_ reason: String) throws -> AuthenticationContext {
    guard let applicationPasswordFile else { return AuthenticationContext(reason: reason) }
    return AuthenticationContext(
      reason: reason,
      applicationPassword: try SecretInput.password(in: applicationPasswordFile))
  }
}
