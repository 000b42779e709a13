import AtRestCrypto
import AtRestKeychain
import Foundation

/// Returns the code of the error that a closure throws, or nil if it throws none of AtRest's
/// errors.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? {
  thrown(body)?.code
}

/// Returns the error that a closure throws, or nil if it throws none of AtRest's errors.
func thrown<Result>(_ body: () throws -> Result) -> AtRestError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? AtRestError
  }
}

extension Keychain {
  /// Adds an item with text as its secret.
  @discardableResult
  func put(
    _ key: PrimaryKey, _ secret: String = "s3cr3t", _ attributes: ItemAttributes = [:],
    _ protection: ItemProtection = .whenUnlocked, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try add(
      key, secret: SecretBytes(utf8: secret), attributes: attributes, protection: protection,
      context: context)
  }

  /// Returns a secret with text.
  func text(_ key: PrimaryKey, _ context: AuthenticationContext? = nil) throws -> String? {
    String(copying: try secret(for: key, context: context))
  }

  func text(
    _ reference: PersistentReference, _ context: AuthenticationContext? = nil
  ) throws -> String? {
    String(copying: try secret(for: reference, context: context))
  }

  /// Updates the secret of an item with text.
  func change(_ key: PrimaryKey, _ secret: String) throws {
    try update(key, secret: SecretBytes(utf8: secret))
  }
}

extension KeychainItem {
  /// The secret as text, or nil if it was not requested or the item has no secret.
  var text: String? { withSecret { String(decoding: $0, as: UTF8.self) } }
}

/// Returns the key of a generic password.
func password(
  _ account: String = "eva", service: String = "mail", group: String? = nil,
  synchronizable: Bool = false
) -> PrimaryKey {
  .genericPassword(
    service: service, account: account, group: group, synchronizable: synchronizable)
}
