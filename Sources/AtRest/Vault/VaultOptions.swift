import AtRestCrypto
import Foundation

extension Vault {
  /// How a vault is opened.
  public struct Options: Sendable {
    /// What a first launch does with what an earlier installation left in the keychain.
    public enum Reinstallation: Sendable {
      /// Wipes it, since whoever deleted the application did not expect it to come back.
      case wipe
      /// Refuses to open, for a folder that may be missing for another reason, as one that is not
      /// mounted.
      case refuse
    }

    /// The vault's name: an application may have several, each with a folder of its own.
    public var name = "main"
    /// What is kept where.
    public var policy = Policy.standard
    /// The recipe for the key of sensitive data; without one they need the passphrase.
    public var compositeKey: CompositeKey?
    /// The cost of new composite keys; nil: scrypt, calibrated to 100 milliseconds.
    public var compositeKDF: PasswordKDF?
    /// The cost of new passphrases.
    public var passphraseKDF = PasswordKDF.scrypt()
    /// How long the key under a passphrase stays in locked memory; zero: it is asked for each time.
    public var passphraseLifetime = Duration.seconds(60)
    /// Asks the user for the passphrase where it is needed and not at hand; it gets the account, nil for
    /// the device's own compartment. nil: the call is refused as
    /// ``AtRestError/Code/passphraseRequired``.
    public var askPassphrase: (@Sendable (_ account: String?) throws -> SecretBytes)?
    /// What a first launch does with what an earlier installation left.
    public var reinstallation = Reinstallation.wipe
    /// What else a logout has to clear, as caches of a library. It may run again after a crash, and
    /// until it returned the logout is not over.
    public var onLogout: (@Sendable () throws -> Void)?
    /// What is done about a debugger, injected libraries and their like. A debugger is also what a
    /// developer works with: choose a stricter one for what is released.
    public var runtimePolicy = RuntimePolicy.report
    /// How long a look at the running program holds; zero: each use looks.
    public var runtimeInterval = Duration.seconds(10)
    /// What is looked at.
    public var environment = RuntimeEnvironment.current

    /// The defaults.
    public init() {}
  }

  /// What a vault found when it was opened.
  public enum Launch: Sendable, Hashable {
    /// The first of this installation, and nothing was there.
    case first
    /// The first of this installation: an earlier one had left values, which are wiped.
    case firstAfterReinstallation
    /// A later one.
    case further
  }
}
