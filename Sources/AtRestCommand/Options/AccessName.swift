import ArgumentParser
import AtRestKeychain

/// The access control requirements by name.
enum AccessName: String, ExpressibleByArgument, CaseIterable {
  case userPresence = "user-presence"
  case passcode
  case biometry
  case biometryCurrent = "biometry-current"
  case passcodeOrBiometry = "passcode-or-biometry"
  case passcodeOrBiometryCurrent = "passcode-or-biometry-current"
  case passcodeAndBiometry = "passcode-and-biometry"
  case passcodeAndBiometryCurrent = "passcode-and-biometry-current"

  var requirement: AccessControl.Requirement {
    switch self {
    case .userPresence: .userPresence
    case .passcode: .devicePasscode
    case .biometry: .biometry(.any)
    case .biometryCurrent: .biometry(.currentSet)
    case .passcodeOrBiometry: .devicePasscodeOr(.any)
    case .passcodeOrBiometryCurrent: .devicePasscodeOr(.currentSet)
    case .passcodeAndBiometry: .devicePasscodeAnd(.any)
    case .passcodeAndBiometryCurrent: .devicePasscodeAnd(.currentSet)
    }
  }

  /// True if the passcode cannot stand in for biometry.
  var needsBiometry: Bool {
    switch self {
    case .biometry, .biometryCurrent, .passcodeAndBiometry, .passcodeAndBiometryCurrent: true
    case .userPresence, .passcode, .passcodeOrBiometry, .passcodeOrBiometryCurrent: false
    }
  }

  init?(_ requirement: AccessControl.Requirement?) {
    guard let found = Self.allCases.first(where: { $0.requirement == requirement }) else {
      return nil
    }
    self = found
  }
}
