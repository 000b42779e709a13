@_spi(Tools) import AtRestCrypto
import Foundation

/// The proof that a user must give to read an item, in addition to an unlocked store.
///
/// The type offers only meaningful combinations:
///
/// ```swift
/// AccessControl(.whenUnlockedThisDeviceOnly, .devicePasscodeOr(.currentSet))
/// AccessControl(.whenUnlocked, applicationPassword: true)
/// ```
///
/// Reading, updating and listing an item ask the user for the required proof; adding an item does
/// not. An application password is needed even for adding; the user is asked for the password
/// unless the context contains it. This library enforces the requirement at run time, not by
/// cryptography. The exception is the application password: without the password, the item's key
/// cannot be derived.
///
/// A requirement that nobody can ever meet is refused when an item is added or updated:
/// ``AtRestError/Code/passcodeNotSet`` without a passcode, and ``AtRestError/Code/notPermitted`` for
/// biometry that nothing can replace, if the keychain's ``Authenticator`` has neither an enrolled
/// finger or face nor a reader (`biometryKind`), or if there is no authenticator.
public struct AccessControl: Hashable, Sendable, Codable {
  /// The enrolled fingers or faces that are accepted.
  public enum Biometry: UInt8, Sendable, Codable, CaseIterable {
    /// Any finger or face that is enrolled at the time of reading.
    case any = 1
    /// The fingers or faces that were enrolled when the item was saved. After a change of enrolment
    /// the item can no longer be read.
    case currentSet = 2
  }

  /// The proof that the user must give.
  public enum Requirement: Hashable, Sendable, Codable {
    /// Biometry or the passcode, whichever the device offers.
    case userPresence
    /// The device passcode.
    case devicePasscode
    /// Biometry only.
    case biometry(Biometry)
    /// Biometry or the passcode.
    case devicePasscodeOr(Biometry)
    /// Biometry and the passcode.
    case devicePasscodeAnd(Biometry)
  }

  /// The accessibility, which determines when the class key is in memory.
  public let accessibility: Accessibility
  /// The proof that the user must give, or nil if only the application password is required.
  public let requirement: Requirement?
  /// True if an application password is part of the item's key.
  public let applicationPassword: Bool
  /// True if a private key may only sign and agree on secrets.
  public let privateKeyUsage: Bool

  /// Creates access control with a requirement, and optionally an application password.
  public init(
    _ accessibility: Accessibility, _ requirement: Requirement,
    applicationPassword: Bool = false, privateKeyUsage: Bool = false
  ) {
    self.accessibility = accessibility
    self.requirement = requirement
    self.applicationPassword = applicationPassword
    self.privateKeyUsage = privateKeyUsage
  }

  /// Creates access control that requires only the application password.
  public static func applicationPassword(
    _ accessibility: Accessibility, privateKeyUsage: Bool = false
  ) -> AccessControl {
    AccessControl(
      accessibility, requirement: nil, applicationPassword: true, privateKeyUsage: privateKeyUsage)
  }

  /// Creates access control for a private key that signs and agrees without asking the user.
  public static func privateKeyUsage(_ accessibility: Accessibility) -> AccessControl {
    AccessControl(
      accessibility, requirement: nil, applicationPassword: false, privateKeyUsage: true)
  }

  /// The same access control with another accessibility.
  func with(_ accessibility: Accessibility) -> AccessControl {
    AccessControl(
      accessibility, requirement: requirement, applicationPassword: applicationPassword,
      privateKeyUsage: privateKeyUsage)
  }

  private init(
    _ accessibility: Accessibility, requirement: Requirement?, applicationPassword: Bool,
    privateKeyUsage: Bool
  ) {
    self.accessibility = accessibility
    self.requirement = requirement
    self.applicationPassword = applicationPassword
    self.privateKeyUsage = privateKeyUsage
  }

  /// True if the passcode may be required, so that a passcode must be set.
  var needsPasscode: Bool {
    switch requirement {
    case .userPresence, .devicePasscode, .devicePasscodeOr, .devicePasscodeAnd: true
    case .biometry, nil: false
    }
  }

  /// True if nothing can stand in for biometry, so that without a reader nobody can ever read the
  /// item.
  var needsBiometry: Bool {
    switch requirement {
    case .biometry, .devicePasscodeAnd: true
    case .userPresence, .devicePasscode, .devicePasscodeOr, nil: false
    }
  }

  /// The biometry that may be required, or nil if the requirement includes no biometry.
  var biometry: Biometry? {
    switch requirement {
    case .biometry(let kind), .devicePasscodeOr(let kind), .devicePasscodeAnd(let kind): kind
    case .userPresence: .any
    case .devicePasscode, nil: nil
    }
  }

  func encode(into writer: inout ByteWriter) {
    let (code, kind): (UInt8, Biometry?) =
      switch requirement {
      case nil: (0, nil)
      case .userPresence: (1, nil)
      case .devicePasscode: (2, nil)
      case .biometry(let kind): (3, kind)
      case .devicePasscodeOr(let kind): (4, kind)
      case .devicePasscodeAnd(let kind): (5, kind)
      }
    writer.integer(accessibility.keyClass.rawValue)
    writer.integer(code)
    writer.integer(kind?.rawValue ?? 0)
    writer.integer(UInt8((applicationPassword ? 1 : 0) | (privateKeyUsage ? 2 : 0)))
  }

  init(from reader: inout ByteReader) throws {
    let accessibility = try Accessibility(keyClass: reader.integer())
    let code = try reader.integer(UInt8.self)
    let kind = Biometry(rawValue: try reader.integer())
    let flags = try reader.integer(UInt8.self)
    let requirement: Requirement? =
      switch (code, kind) {
      case (0, _): nil
      case (1, _): .userPresence
      case (2, _): .devicePasscode
      case (3, let kind?): .biometry(kind)
      case (4, let kind?): .devicePasscodeOr(kind)
      case (5, let kind?): .devicePasscodeAnd(kind)
      default: throw AtRestError.damaged("An item has an unknown access control.")
      }
    self.init(
      accessibility, requirement: requirement, applicationPassword: flags & 1 != 0,
      privateKeyUsage: flags & 2 != 0)
  }
}
