import ArgumentParser
import AtRestCrypto
import AtRestKeychain

/// An item's application password, without which the item's key is not available.
struct ApplicationPasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the item's application password, - for standard input; one final newline is "
        + "removed.",
      valueName: "file"))
  var applicationPasswordFile: String?

  var readsStandardInput: Bool { applicationPasswordFile == "-" }

  /// Returns a context that has the password from the file; without a file, the user is asked when
  /// needed.
  func context(_ reason: String) throws -> AuthenticationContext {
    guard let applicationPasswordFile else { return AuthenticationContext(reason: reason) }
    return AuthenticationContext(
      reason: reason,
      applicationPassword: try SecretInput.password(in: applicationPasswordFile))
  }
}
