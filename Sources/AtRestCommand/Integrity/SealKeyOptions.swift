import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// The keychain key that stamps: an HMAC key by its name, or a key pair by its tag.
struct SealKeyOptions: ParsableArguments {
  /// The service of the items that hold HMAC keys.
  private static let service = "atrest.seal"

  @Option(help: "The name of the key, which is created when first needed. (default: seal)")
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
    .genericPassword(service: Self.service, account: keyName ?? "seal", group: group)
  }

  /// Creates a stamper, and its HMAC key if it does not exist yet.
  func sealer(
    _ keychain: Keychain, scheme: SignatureScheme?, context: AuthenticationContext
  ) throws -> FileSealer {
    if let tag {
      let publicKey = try keychain.publicKey(tag: tag, group: group)
      return try FileSealer(publicKey: publicKey, scheme: scheme) { [group] statement in
        try keychain.sign(statement, tag: tag, group: group, scheme: scheme, context: context)
      }
    }
    var isNew = false
    let key = try keychain.getOrCreate(
      item, attributes: [.label: "Seals files"], context: context
    ) {
      isNew = true
      return SecretBytes.random(count: 32)
    }
    if isNew { Output.note("The key \(keyName ?? "seal") was created.") }
    return try FileSealer(hmacKey: key)
  }

  /// Creates a verifier. It creates no key.
  func verifier(
    _ keychain: Keychain, context: AuthenticationContext
  ) throws -> FileSealVerifier {
    if let tag {
      return try FileSealVerifier(publicKey: keychain.publicKey(tag: tag, group: group))
    }
    do {
      return try FileSealVerifier(hmacKey: keychain.secret(for: item, context: context))
    } catch AtRestError.Code.notFound {
      throw AtRestError(
        .notFound, "There is no key \(keyName ?? "seal") in the store to check with.",
        remedy: "Select the key of the stamp (--key-name, --group) and its store (--store).")
    }
  }
}
