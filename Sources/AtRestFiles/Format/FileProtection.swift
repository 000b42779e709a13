import AtRestKeybag
import Foundation

/// The protection class of a file, which determines when it can be read: one of the four classes of
/// iOS data protection.
///
/// | class | can be read | can be created | a handle that is open when the store locks |
/// | --- | --- | --- | --- |
/// | ``complete`` (A) | while unlocked | while unlocked | throws until the next unlock |
/// | ``completeUnlessOpen`` (B) | while unlocked | always | stays usable |
/// | ``completeUntilFirstAuthentication`` (C) | from the first unlock on | the same | stays usable |
/// | ``none`` (D) | always, on this device | always | stays usable |
public enum FileProtection: String, Sendable, CaseIterable, Codable {
  /// Class A: readable while the store is unlocked.
  case complete
  /// Class B: files can be created while the store is locked, and open files stay usable when it
  /// locks. Existing files can be opened only while it is unlocked.
  case completeUnlessOpen = "complete-unless-open"
  /// Class C, the default: readable from the first unlock to the end of the process.
  case completeUntilFirstAuthentication = "complete-until-first-authentication"
  /// Class D: always readable on this device.
  case none

  package var keyClass: KeyClass {
    switch self {
    case .complete: .complete
    case .completeUnlessOpen: .completeUnlessOpen
    case .completeUntilFirstAuthentication: .completeUntilFirstAuthentication
    case .none: .noProtection
    }
  }

  package init?(_ keyClass: KeyClass) {
    guard let match = Self.allCases.first(where: { $0.keyClass == keyClass }) else { return nil }
    self = match
  }

  /// Foundation's value for the class.
  public var fileProtectionType: FileProtectionType {
    switch self {
    case .complete: .complete
    case .completeUnlessOpen: .completeUnlessOpen
    case .completeUntilFirstAuthentication: .completeUntilFirstUserAuthentication
    case .none: .none
    }
  }

  /// Creates the class that corresponds to Foundation's value, or returns nil if the value is
  /// unknown.
  public init?(_ type: FileProtectionType) {
    guard let match = Self.allCases.first(where: { $0.fileProtectionType == type }) else {
      return nil
    }
    self = match
  }
}
