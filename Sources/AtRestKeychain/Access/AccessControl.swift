import AtRestCrypto
import Foundation

/// Who must be there when an item is read, beside the store being unlocked.
///
/// Only combinations that mean something can be written:
///
/// ```swift
/// AccessControl(.whenUnlockedThisDeviceOnly, .devicePasscodeOr(.currentSet))
/// AccessControl(.whenUnlocked, applicationPassword: true)
/// ```
///
/// Saving asks for nothing; reading, updating and listing do. The requirement is enforced by this
/// library at run time, not by cryptography, but for the application password, without which the
/// item's key cannot be had.
public struct AccessControl: Hashable, Sendable, Codable {
  /// The fingers or faces that count.
  public enum Biometry: UInt8, Sendable, Codable, CaseIterable {
    /// Any that is enrolled at the time of reading.
    case any = 1
    /// Those enrolled when the item was saved; after a change of enrolment the item is dead.
    case currentSet = 2
  }

  /// What the user must show.
  public enum Requirement: Hashable, Sendable, Codable {
    /// Biometry or the passcode, as the device offers.
    case userPresence
    /// The passcode.
    case devicePasscode
    /// Biometry.
    case biometry(Biometry)
    /// Either of them.
    case devicePasscodeOr(Biometry)
    /// Both of them.
    case devicePasscodeAnd(Biometry)
  }

  /// When the class key is there.
  public let accessibility: Accessibility
  /// What the user must show, or nil if only the application password is asked for.
  public let requirement: Requirement?
  /// True if a password of the application's own enters the item's key.
  public let applicationPassword: Bool
  /// True if a private key may sign and agree, and do nothing else.
  public let privateKeyUsage: Bool

  /// Access for whoever meets a requirement, and knows the application password where one is asked.
  public init(
    _ accessibility: Accessibility, _ requirement: Requirement,
    applicationPassword: Bool = false, privateKeyUsage: Bool = false
  ) {
    self.accessibility = accessibility
    self.requirement = requirement
    self.applicationPassword = applicationPassword
    self.privateKeyUsage = privateKeyUsage
  }

  /// Access for whoever knows the application password.
  public static func applicationPassword(
    _ accessibility: Accessibility, privateKeyUsage: Bool = false
  ) -> AccessControl {
    AccessControl(accessibility, nil, true, privateKeyUsage)
  }

  /// A private key that signs and agrees, with nothing asked.
  public static func privateKeyUsage(_ accessibility: Accessibility) -> AccessControl {
    AccessControl(accessibility, nil, false, true)
  }

  private init(
    _ accessibility: Accessibility, _ requirement: Requirement?, _ applicationPassword: Bool,
    _ privateKeyUsage: Bool
  ) {
    self.accessibility = accessibility
    self.requirement = requirement
    self.applicationPassword = applicationPassword
    self.privateKeyUsage = privateKeyUsage
  }

  /// True if the passcode could be asked for, so that one must be set.
  var needsPasscode: Bool {
    switch requirement {
    case .userPresence, .devicePasscode, .devicePasscodeOr, .devicePasscodeAnd: true
    case .biometry, nil: false
    }
  }

  /// The biometry that could be asked for.
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
      default: throw AtRestError.damaged("An item's access control is not known.")
      }
    self.init(accessibility, requirement, flags & 1 != 0, flags & 2 != 0)
  }
}

/// How an item is protected: by accessibility alone, or by access control, which includes one.
public struct Protection: Hashable, Sendable, Codable {
  /// When the class key is there.
  public let accessibility: Accessibility
  /// Who must be there, or nil.
  public let accessControl: AccessControl?

  /// By accessibility alone.
  public static func accessible(_ accessibility: Accessibility) -> Protection {
    Protection(accessibility: accessibility, accessControl: nil)
  }

  /// By access control.
  public static func controlled(_ accessControl: AccessControl) -> Protection {
    Protection(accessibility: accessControl.accessibility, accessControl: accessControl)
  }

  /// While unlocked: what an item has where nothing is said.
  public static let whenUnlocked = Protection.accessible(.whenUnlocked)
}
