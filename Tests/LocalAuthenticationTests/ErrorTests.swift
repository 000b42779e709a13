import Foundation
import LocalAuthentication
import Testing

/// Tests errors in the ways in which code for Apple's platforms examines them.
@Suite struct ErrorTests {
  private func fail(_ code: LAError.Code) throws { throw LAError(code) }

  @Test(arguments: LAError.Code.allCases)
  func aCodeSurvivesTheWayToAnNSErrorAndBack(_ code: LAError.Code) {
    let error = LAError(code, userInfo: [NSLocalizedDescriptionKey: "words"]) as NSError
    #expect(error.domain == "com.apple.LocalAuthentication")
    #expect(error.code == code.rawValue)
    #expect(error.localizedDescription == "words")
    let back = LAError(_nsError: error)
    #expect(back.code == code && back.localizedDescription == "words")
    #expect((LAError(code) as any Error as? LAError)?.code == code)
  }

  @Test func othersCountAsFailures() {
    let others = [
      NSError(domain: NSOSStatusErrorDomain, code: -2), NSError(domain: LAErrorDomain, code: 1),
    ]
    for other in others { #expect(LAError(_nsError: other).code == .authenticationFailed) }
  }

  @Test func theyAreCaughtByCode() {
    do {
      try fail(.biometryNotEnrolled)
      Issue.record("No error was thrown.")
    } catch LAError.userCancel {
      Issue.record("The error matched another code.")
    } catch LAError.biometryNotEnrolled {
    } catch {
      Issue.record("The error did not match its code.")
    }
    do {
      try fail(.userFallback)
      Issue.record("No error was thrown.")
    } catch let error as LAError where error.code == .userFallback {
      #expect(error.errorCode == -3 && error == LAError(.userFallback))
    } catch {
      Issue.record("The error did not match its code.")
    }
  }

  @Test func codesAreApples() {
    let codes: [LAError.Code: Int] = [
      .authenticationFailed: -1, .userCancel: -2, .userFallback: -3, .systemCancel: -4,
      .passcodeNotSet: -5, .biometryNotAvailable: -6, .biometryNotEnrolled: -7,
      .biometryLockout: -8, .appCancel: -9, .invalidContext: -10, .companionNotAvailable: -11,
      .biometryNotPaired: -12, .biometryDisconnected: -13, .invalidDimensions: -14,
      .notInteractive: -1004,
    ]
    #expect(Set(codes.keys) == Set(LAError.Code.allCases))
    for (code, value) in codes { #expect(code.rawValue == value) }
    #expect(LAError.touchIDLockout == .biometryLockout)
    #expect(kLAErrorNotInteractive == -1004)
    #expect(LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue == 1)
    #expect(LAPolicy.deviceOwnerAuthentication.rawValue == 2)
    #expect(LABiometryType.opticID.rawValue == 4)
  }
}
