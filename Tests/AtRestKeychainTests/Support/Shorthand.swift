import AtRestCrypto
import AtRestKeychain
import Foundation

/// The code of the error that a piece of work throws, or nil if it throws none of ours.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? {
  thrown(body)?.code
}

/// The error that a piece of work throws, or nil if it throws none of ours.
func thrown<Result>(_ body: () throws -> Result) -> AtRestError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? AtRestError
  }
}

extension Keychain {
  /// Adds an item whose secret is text.
  @discardableResult
  func put(
    _ key: PrimaryKey, _ secret: String = "s3cr3t", _ attributes: Attributes = [:],
    _ protection: Protection = .whenUnlocked, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try add(
      key, secret: SecretBytes(utf8: secret), attributes: attributes, protection: protection,
      context: context)
  }

  /// A secret that is text.
  func text(_ key: PrimaryKey, _ context: AuthenticationContext? = nil) throws -> String? {
    String(copying: try secret(for: key, context: context))
  }

  func text(
    _ reference: PersistentReference, _ context: AuthenticationContext? = nil
  ) throws -> String? {
    String(copying: try secret(for: reference, context: context))
  }

  /// Gives an item a secret that is text.
  func change(_ key: PrimaryKey, _ secret: String) throws {
    try update(key, secret: SecretBytes(utf8: secret))
  }
}

extension Item {
  /// The secret as text, or nil if it was not asked for or there is none.
  var text: String? { withSecret { String(decoding: $0, as: UTF8.self) } }
}

/// The key of a generic password, short.
func password(
  _ account: String = "eva", service: String = "mail", group: String? = nil,
  synchronizable: Bool = false
) -> PrimaryKey {
  .genericPassword(
    service: service, account: account, group: group, synchronizable: synchronizable)
}
