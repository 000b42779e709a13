import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// Selects the keychain key for stamps: an HMAC key by its name, or a key pair by its tag.
struct StampKeyOptions: ParsableArguments {
  /// The service of the items that hold HMAC keys.
  private static let service = "atrest.stamp"

  @Option(help: "The name of the key, which is created when first needed. (default: stamp)")
  var keyName: String?

  @Option(help: "The tag of a key pair, to stamp with its signature instead.")
  var tag: String?

  @Option(help: "The access group.")
  var group: String?

  func validate() throws {
    guard keyName == nil || tag == nil else {
      throw ValidationError("Use either --key-name or --tag, not both.")
    }
  }

  private var item: PrimaryKey {
    .genericPassword(service: Self.service, account: keyName ?? "stamp", group: group)
  }

  /// Creates a stamper, and its HMAC key if it does not exist yet.
  func stamper(
    _ keychain: Keychain, scheme: SignatureScheme?, context: AuthenticationContext
  ) throws -> FileStamper {
    if let tag {
      let publicKey = try keychain.publicKey(tag: tag, group: group)
      return try FileStamper(publicKey: publicKey, scheme: scheme) { [group] statement in
        try keychain.sign(statement, tag: tag, group: group, scheme: scheme, context: context)
      }
    }
    var isNew = false
    let key = try keychain.getOrCreate(
      item, attributes: [.label: "Stamps files"], context: context
    ) {
      isNew = true
      return SecretBytes.random(count: 32)
    }
    if isNew { Output.note("The key \(keyName ?? "stamp") was created.") }
    return try FileStamper(hmacKey: key)
  }

  /// Creates a verifier. Throws ``AtRestError/Code/notFound`` if its key does not exist.
  func verifier(
    _ keychain: Keychain, context: AuthenticationContext
  ) throws -> FileStampVerifier {
    if let tag {
      return try FileStampVerifier(publicKey: keychain.publicKey(tag: tag, group: group))
    }
    do {
      return try FileStampVerifier(hmacKey: keychain.secret(for: item, context: context))
    } catch AtRestError.Code.notFound {
      throw AtRestError(
        .notFound, "There is no key \(keyName ?? "stamp") in the store to check with.",
        remedy: "Select the key of the stamp (--key-name, --group) and its store (--store).")
    }
  }
}
