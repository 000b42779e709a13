import AtRestCrypto
import AtRestKeybag
import Foundation

extension Vault {
  /// The options with which a vault is opened.
  public struct Options: Sendable {
    /// The response to a value that is to be stored while the store has no passcode.
    public var missingPasscode = MissingPasscode.tell
    /// Tells the user that the store has no passcode, before a value is stored, at most once a day.
    /// Without this closure, a warning is logged (``Keychain``'s `logger`).
    public var onMissingPasscode: (@Sendable (StoreRisk) -> Void)?
    /// The action that a first launch takes on values that an earlier installation left in the
    /// keychain.
    public enum Reinstallation: Sendable {
      /// Wipes the values, because whoever deleted the application did not expect them to return.
      case wipe
      /// Refuses to open, because the folder may be missing for another reason, such as a volume
      /// that is not mounted.
      case refuse
    }

    /// The items that a first launch wipes if an earlier installation left values of the vault.
    public enum FirstLaunch: Sendable {
      /// The items of the vault.
      case wipeVault
      /// All items in the default access group of the keychain, so that no item of the application
      /// survives a reinstallation. Items of other vaults and of other applications in this group
      /// are wiped too.
      ///
      /// An application that does not use the Vault calls ``Keychain``'s `beginInstallation(in:)`.
      case wipeAccessGroup
    }

    /// The response to a value that is to be stored while the store has no passcode.
    public enum MissingPasscode: Sendable {
      /// Stores the value, and tells the user at most once a day.
      case tell
      /// Refuses to store the value, with ``AtRestError/Code/passcodeNotSet``.
      case refuse
    }

    /// The vault's name. An application may have several vaults, each with a folder of its own.
    public var name = "main"
    /// The policy that decides how each kind of data is stored.
    public var policy = StoragePolicy.standard
    /// The recipe for the composite key of sensitive data. Without a recipe, sensitive data
    /// requires the passphrase.
    public var compositeKey: CompositeKey?
    /// The KDF and its cost for new composite keys, or nil for scrypt calibrated to 100
    /// milliseconds.
    public var compositeKDF: PasswordKDF?
    /// The KDF and its cost for new passphrases.
    public var passphraseKDF = PasswordKDF.scrypt()
    /// Returns the server that hardens the passphrase of an account, or nil if none does. The
    /// argument is the account, or nil for the device's own compartment. The value holds for
    /// passphrases that are set or changed from now on. A passphrase that was hardened always needs
    /// its server, whose errors are passed on unchanged.
    ///
    /// ```swift
    /// options.passphraseHardener = { account in try keyServer(for: account) }
    /// ```
    public var passphraseHardener:
      (@Sendable (_ account: String?) throws -> (any PassphraseHardener)?)?
    /// The time for which the key derived from a passphrase stays in locked memory. If zero, the
    /// passphrase is requested for each use.
    public var passphraseLifetime = Duration.seconds(60)
    /// Asks the user for the passphrase when it is needed and the key derived from it is not in
    /// memory. The closure's argument is the account, or nil for the device's own compartment.
    /// Without this closure, a call that needs the passphrase throws
    /// ``AtRestError/Code/passphraseRequired``.
    public var askPassphrase: (@Sendable (_ account: String?) throws -> SecretBytes)?
    /// The action that a first launch takes on values that an earlier installation left.
    public var reinstallation = Reinstallation.wipe
    /// The items that a first launch wipes if an earlier installation left values of the vault. If
    /// no earlier installation is known, or if the folder's marker or the registry cannot be read,
    /// nothing is wiped.
    public var onFirstLaunch = FirstLaunch.wipeVault
    /// Clears anything else that a logout or wipe must clear, such as the caches of a library. The
    /// closure may run again after a crash, and a logout is finished only when the closure has
    /// returned.
    public var onLogout: (@Sendable () throws -> Void)?
    /// The response to a debugger, injected libraries and similar findings. Developers use
    /// debuggers too, so choose a stricter policy only for release builds.
    public var runtimePolicy = RuntimePolicy.report
    /// The time for which a check of the running program stays valid. If zero, the program is
    /// checked at each use.
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
