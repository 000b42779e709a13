/// An error with a code, a message and a remedy.
///
/// Every AtRest library throws this one type. Branch on ``code``. Later versions may add codes, so
/// a `switch` over ``code`` needs a `default`.
///
/// ```swift
/// do {
///   let secret = try keychain.secret(for: key)
/// } catch AtRestError.Code.notFound {
///   // there is no such item
/// } catch AtRestError.Code.locked {
///   // the item may exist: unlock the store and try again
/// }
/// ```
///
/// No part of an error contains a secret, a passcode or a key.
public struct AtRestError: Error, Sendable, CustomStringConvertible {
  /// The kind of error, for programs to branch on.
  public let code: Code
  /// A sentence for people that says what happened.
  public let message: String
  /// A sentence for people that says what to do next.
  public let remedy: String
  /// The underlying error, if there is one.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  public var description: String {
    "\(message) \(remedy)" + (cause.map { " (cause: \($0))" } ?? "")
  }

  /// The code of an ``AtRestError``. The set of codes is open.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code, such as `not-found`.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// No such item, file or key exists.
    public static let notFound = Code(rawValue: "not-found")
    /// The item or file may exist, but the key of its protection class is not in memory.
    public static let locked = Code(rawValue: "locked")
    /// The caller has no permission for the item or file: entitlement, access control, export, or
    /// the permissions of the file system.
    public static let notPermitted = Code(rawValue: "not-permitted")
    /// The caller named an access group that its identity does not own.
    public static let missingEntitlement = Code(rawValue: "missing-entitlement")
    /// The data is not protected in the class, or in the way, that the caller requires.
    public static let otherClass = Code(rawValue: "other-class")
    /// The passcode, passphrase, password or fingerprint did not match.
    public static let authenticationFailed = Code(rawValue: "authentication-failed")
    /// The user dismissed the prompt.
    public static let canceled = Code(rawValue: "canceled")
    /// The user chose the passcode instead of biometry, but only biometry is allowed.
    public static let passcodePreferred = Code(rawValue: "passcode-preferred")
    /// Biometry failed too often and is locked until the passcode is entered.
    public static let biometryLockout = Code(rawValue: "biometry-lockout")
    /// The call would have to prompt the user, which the caller did not allow.
    public static let interactionNotAllowed = Code(rawValue: "interaction-not-allowed")
    /// Too many wrong attempts were made. Wait before the next one.
    public static let throttled = Code(rawValue: "throttled")
    /// The stored data is not what was written: it was truncated, modified or swapped, or it
    /// belongs to another store.
    public static let damaged = Code(rawValue: "damaged")
    /// The stored data is older than the latest state that this device has seen.
    public static let rolledBack = Code(rawValue: "rolled-back")
    /// The store in a folder is not the expected one.
    public static let otherStore = Code(rawValue: "other-store")
    /// The stored data was made by a later version.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// An item with this primary key already exists.
    public static let duplicate = Code(rawValue: "duplicate")
    /// An argument is not valid.
    public static let invalidArgument = Code(rawValue: "invalid-argument")
    /// A passcode is required, and none is set.
    public static let passcodeNotSet = Code(rawValue: "passcode-not-set")
    /// The store that belongs in a folder is missing: it was removed, its disk is not mounted, or
    /// another store has taken its place.
    public static let storeMissing = Code(rawValue: "store-missing")
    /// The device key that belongs to a store is missing: its folder was removed, or its disk is not
    /// mounted.
    public static let deviceMissing = Code(rawValue: "device-missing")
    /// The store was wiped.
    public static let wiped = Code(rawValue: "wiped")
    /// The data reached the end of its storage period and was deleted.
    public static let expired = Code(rawValue: "expired")
    /// The user's passphrase must be entered first.
    public static let passphraseRequired = Code(rawValue: "passphrase-required")
    /// A passphrase is required, and none is set.
    public static let passphraseNotSet = Code(rawValue: "passphrase-not-set")
    /// The account has logged out.
    public static let loggedOut = Code(rawValue: "logged-out")
    /// Another thread or process has held a lock, a file or a database for too long.
    public static let busy = Code(rawValue: "busy")
    /// Items of the class have no such attribute.
    public static let noSuchAttribute = Code(rawValue: "no-such-attribute")
    /// The file is not one of AtRest's protected files.
    public static let notProtected = Code(rawValue: "not-protected")
    /// The file has no stamp, or the given bytes are not a stamp.
    public static let notStamped = Code(rawValue: "not-stamped")
    /// Data of this kind is never stored; the remedy says what to do instead.
    public static let neverStored = Code(rawValue: "never-stored")
    /// The TPM cannot be used: there is none, its library is missing, or the connection to it broke.
    public static let deviceUnavailable = Code(rawValue: "device-unavailable")
    /// The device has no hardware that makes keys and keeps them.
    public static let noHardware = Code(rawValue: "no-hardware")
    /// The TPM is not the one that the data belongs to: the data was moved to another machine, the
    /// TPM was cleared, or something between the program and the TPM answers in its place.
    public static let otherDevice = Code(rawValue: "other-device")
    /// The operating system refused a call for a reason other than missing permissions.
    public static let system = Code(rawValue: "system")

    /// Matches an error by its code, as in `catch AtRestError.Code.notFound`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? AtRestError)?.code == code
    }
  }

  /// The reason why stored data is withheld, or nil if the error has another meaning.
  public var refusal: Refusal? {
    switch code {
    case .notFound, .expired: .notFound
    case .locked, .passphraseRequired: .locked
    case .notPermitted, .otherClass, .missingEntitlement, .authenticationFailed, .canceled,
      .passcodePreferred, .biometryLockout, .interactionNotAllowed, .throttled, .passcodeNotSet,
      .passphraseNotSet, .loggedOut:
      .notPermitted
    case .damaged, .rolledBack, .otherStore, .otherDevice, .unsupportedVersion, .storeMissing,
      .deviceMissing:
      .damaged
    default: nil
    }
  }

  /// The four reasons why stored data is withheld. Each ``Code`` belongs to at most one of them.
  public enum Refusal: Sendable {
    case notFound, locked, notPermitted, damaged
  }
}

extension AtRestError {
  package static func invalid(_ message: String, remedy: String) -> AtRestError {
    AtRestError(.invalidArgument, message, remedy: remedy)
  }

  package static func damaged(_ what: String, remedy: String? = nil) -> AtRestError {
    AtRestError(
      .damaged, what,
      remedy: remedy ?? "Restore it from a backup. Nothing was modified.")
  }

  /// Returns the error for data that a later version of AtRest wrote.
  package static func unsupported(
    _ name: String, version: some BinaryInteger, known: some BinaryInteger
  ) -> AtRestError {
    AtRestError(
      .unsupportedVersion,
      "\(name) has version \(version); this version of AtRest reads version \(known).",
      remedy: "Use a later version of AtRest.")
  }
}
