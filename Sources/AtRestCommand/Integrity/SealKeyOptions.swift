import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// Which key of the keychain seals: one for HMAC by its name, or a key pair by its tag.
struct SealKeyOptions: ParsableArguments {
  /// The service of the items that hold keys for HMAC.
  private static let service = "atrest.seal"

  @Option(help: "The name of the key, which is made when it first seals. (default: seal)")
  var keyName: String?

  @Option(help: "The tag of a key pair, to seal with its signature instead.")
  var tag: String?

  @Option(help: "The access group.")
  var group: String?

  func validate() throws {
    guard keyName == nil || tag == nil else {
      throw ValidationError("Give --key-name or --tag, not both.")
    }
  }

  private var item: PrimaryKey {
    .genericPassword(service: Self.service, account: keyName ?? "seal", group: group)
  }

  /// Makes a sealer; for HMAC its key too, where there is none yet.
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
    if isNew { Output.note("The key \(keyName ?? "seal") was made.") }
    return try FileSealer(hmacKey: key)
  }

  /// Makes a verifier; makes no key.
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
        remedy: "Name the key that sealed it (--key-name, --group), and its store (--store).")
    }
  }
}
