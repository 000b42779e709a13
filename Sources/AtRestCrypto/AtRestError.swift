/// What went wrong, to what, and what to do about it.
///
/// Every AtRest library throws this one type. Branch on ``code``, which is open: later versions may
/// add codes, so a `switch` over it needs a `default`.
///
/// ```swift
/// do {
///   let secret = try keychain.secret(for: key)
/// } catch AtRestError.Code.notFound {
///   // there is no such item
/// } catch AtRestError.Code.locked {
///   // it may exist: unlock, and ask again
/// }
/// ```
///
/// No part of an error contains a secret, a passcode or a key.
public struct AtRestError: Error, Sendable, CustomStringConvertible {
  /// The kind of error, for programs to branch on.
  public let code: Code
  /// What happened, and to what, as a sentence for people.
  public let message: String
  /// What to do about it, as a sentence for people.
  public let remedy: String
  /// The error that caused this one, if there is one.
  public let cause: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  public var description: String {
    "\(message) \(remedy)" + (cause.map { " (cause: \($0))" } ?? "")
  }

  /// The kind of an ``AtRestError``: an open set of names.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// There is no such item, file or key.
    public static let notFound = Code(rawValue: "not-found")
    /// It may exist, but its class key is not in memory now.
    public static let locked = Code(rawValue: "locked")
    /// It exists, but the caller may not have it (entitlement, access control, export).
    public static let notPermitted = Code(rawValue: "not-permitted")
    /// The caller named an access group that its identity does not own.
    public static let missingEntitlement = Code(rawValue: "missing-entitlement")
    /// It is protected in another class, or in another way, than the caller requires.
    public static let otherClass = Code(rawValue: "other-class")
    /// The passcode, passphrase, password or finger did not match.
    public static let authenticationFailed = Code(rawValue: "authentication-failed")
    /// The user dismissed the prompt.
    public static let canceled = Code(rawValue: "canceled")
    /// The user chose to show the passcode instead of biometry, and biometry alone is asked for.
    public static let passcodePreferred = Code(rawValue: "passcode-preferred")
    /// Biometry failed too often: it works again once the passcode was shown.
    public static let biometryLockout = Code(rawValue: "biometry-lockout")
    /// A user would have to be asked, and the caller forbade that.
    public static let interactionNotAllowed = Code(rawValue: "interaction-not-allowed")
    /// Too many wrong attempts: wait before the next one.
    public static let throttled = Code(rawValue: "throttled")
    /// What is stored is not what was written: cut off, edited, swapped or of another store.
    public static let damaged = Code(rawValue: "damaged")
    /// What is stored is older than what this device has seen.
    public static let rolledBack = Code(rawValue: "rolled-back")
    /// The store in a folder is not the one that is expected there.
    public static let otherStore = Code(rawValue: "other-store")
    /// What is stored was made by a later version.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// An item with this primary key exists already.
    public static let duplicate = Code(rawValue: "duplicate")
    /// An argument is not acceptable.
    public static let invalidArgument = Code(rawValue: "invalid-argument")
    /// A passcode is needed and none is set.
    public static let passcodeNotSet = Code(rawValue: "passcode-not-set")
    /// The store that belongs in a folder is not there: it was removed, its disk is not mounted, or
    /// another store has taken its place.
    public static let storeMissing = Code(rawValue: "store-missing")
    /// The store was wiped.
    public static let wiped = Code(rawValue: "wiped")
    /// It was kept as long as was said, and is gone.
    public static let expired = Code(rawValue: "expired")
    /// The user's passphrase has to be given first.
    public static let passphraseRequired = Code(rawValue: "passphrase-required")
    /// A passphrase is needed and none is set.
    public static let passphraseNotSet = Code(rawValue: "passphrase-not-set")
    /// The account logged out since.
    public static let loggedOut = Code(rawValue: "logged-out")
    /// Another thread or process holds a lock, a file or a database for too long.
    public static let busy = Code(rawValue: "busy")
    /// Items of the class have no such attribute.
    public static let noSuchAttribute = Code(rawValue: "no-such-attribute")
    /// The file is not one of AtRest's protected files.
    public static let notProtected = Code(rawValue: "not-protected")
    /// A file has no stamp, or the bytes given as a stamp are not one.
    public static let notStamped = Code(rawValue: "not-stamped")
    /// Data of this kind is never stored; the remedy says what to do instead.
    public static let neverStored = Code(rawValue: "never-stored")
    /// The operating system refused a call.
    public static let system = Code(rawValue: "system")

    /// Lets `catch AtRestError.Code.notFound` match an error by its code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? AtRestError)?.code == code
    }
  }

  /// The refusal that this error is, where it is one: see ``Refusal``.
  public var refusal: Refusal? {
    switch code {
    case .notFound, .expired: .notFound
    case .locked, .passphraseRequired: .locked
    case .notPermitted, .otherClass, .missingEntitlement, .authenticationFailed, .canceled,
      .passcodePreferred, .biometryLockout, .interactionNotAllowed, .throttled, .passcodeNotSet,
      .passphraseNotSet, .loggedOut:
      .notPermitted
    case .damaged, .rolledBack, .otherStore, .unsupportedVersion, .storeMissing: .damaged
    default: nil
    }
  }

  /// The four reasons for which a stored thing is not handed out, never confused with one another.
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
      remedy: remedy ?? "Restore it from a backup; it was not changed by this refusal.")
  }
}
