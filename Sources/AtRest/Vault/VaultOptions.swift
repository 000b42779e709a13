import AtRestCrypto
import Foundation

extension Vault {
  /// The options with which a vault is opened.
  public struct Options: Sendable {
    /// The action of a first launch on values that an earlier installation left in the keychain.
    public enum Reinstallation: Sendable {
      /// Wipes them: whoever deleted the application did not expect them to return.
      case wipe
      /// Refuses to open, because the folder may be missing for another reason, such as a volume
      /// that is not mounted.
      case refuse
    }

    /// The vault's name. An application may have several vaults, each with a folder of its own.
    public var name = "main"
    /// The policy that decides how each kind of data is stored.
    public var policy = StoragePolicy.standard
    /// The recipe for the key of sensitive data. Without a recipe, such data requires the
    /// passphrase.
    public var compositeKey: CompositeKey?
    /// The cost of new composite keys. nil means scrypt, calibrated to 100 milliseconds.
    public var compositeKDF: PasswordKDF?
    /// The cost of new passphrases.
    public var passphraseKDF = PasswordKDF.scrypt()
    /// The time for which the key derived from a passphrase stays in locked memory. With zero, the
    /// passphrase is asked for each time.
    public var passphraseLifetime = Duration.seconds(60)
    /// Asks the user for the passphrase when it is needed and its key is not in memory. The
    /// argument is the account, or nil for the device's own compartment. If this is nil, the call
    /// throws ``AtRestError/Code/passphraseRequired``.
    public var askPassphrase: (@Sendable (_ account: String?) throws -> SecretBytes)?
    /// The action of a first launch on values that an earlier installation left.
    public var reinstallation = Reinstallation.wipe
    /// Clears anything else that a logout must clear, such as the caches of a library. It may run
    /// again after a crash, and the logout is finished only when it has returned.
    public var onLogout: (@Sendable () throws -> Void)?
    /// The response to a debugger, injected libraries and similar findings. Developers use
    /// debuggers too, so choose a stricter policy for releases.
    public var runtimePolicy = RuntimePolicy.report
    /// The time for which a check of the running program stays valid. With zero, each use checks.
    public var runtimeInterval = Duration.seconds(10)
    /// The environment that is checked.
    public var environment = RuntimeEnvironment.current

    /// Creates the default options.
    public init() {}
  }

  /// The kind of launch that a vault determined when it was opened.
  public enum Launch: Sendable, Hashable {
    /// The first launch of this installation; no values existed.
    case first
    /// The first launch of this installation. An earlier one had left values, which were wiped.
    case firstAfterReinstallation
    /// A later launch.
    case further
  }
}
