import ArgumentParser
import AtRestCrypto

/// The permission to use a passphrase that is easy to guess.
struct WeakPassphraseOptions: ParsableArguments {
  @Flag(help: "Accept a new passphrase that is easy to guess.")
  var acceptWeakPassphrase = false

  var weakPassphrases: WeakPassphrases { acceptWeakPassphrase ? .accept : .refuse }

  /// Refuses a new passphrase that does not satisfy the rules, unless it is accepted, and warns of
  /// one that is too weak for highly sensitive data.
  func check(_ passphrase: borrowing SecretBytes, _ rules: PassphraseRules) throws {
    do {
      try rules.check(passphrase, weakPassphrases: weakPassphrases)
    } catch let error as AtRestError where error.code == .weakPassphrase {
      throw AtRestError(
        error.code, error.message,
        remedy: "\(error.remedy) --accept-weak-passphrase accepts it as it is.")
    }
    do {
      try PassphraseRules.highlySensitive.check(passphrase)
    } catch let error as AtRestError where error.code == .weakPassphrase {
      Output.note("warning: \(error.message) \(error.remedy)")
    }
  }
}
