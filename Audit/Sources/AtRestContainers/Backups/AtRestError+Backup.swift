import AtRestCrypto

extension AtRestError.Code {
  /// A password was given for a backup that is not encrypted.
  public static let notEncrypted = AtRestError.Code(rawValue: "not-encrypted")
}

extension AtRestError {
  static func damagedBackup(_ message: String, cause: (any Error)? = nil) -> AtRestError {
    AtRestError(
      .damaged, message, remedy: "Make the backup again, or use another copy of it.", cause: cause)
  }
}
