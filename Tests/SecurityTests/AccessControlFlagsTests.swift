import Foundation
import Security
import Testing

@Suite struct AccessControlFlagsTests {
  private func make(_ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, "ak" as NSString, flags, nil)
  }

  @Test(
    arguments: [
      [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .applicationPassword,
      [.userPresence, .applicationPassword], [.userPresence, .privateKeyUsage],
      [.biometryAny, .devicePasscode, .or], [.biometryAny, .devicePasscode, .and],
      [.biometryAny, .devicePasscode, .and, .applicationPassword],
    ] as [SecAccessControlCreateFlags])
  func combinationsThatMeanSomethingAreMade(flags: SecAccessControlCreateFlags) {
    #expect(make(flags) != nil)
  }

  @Test(
    arguments: [
      [.userPresence, .biometryAny], [.userPresence, .devicePasscode],
      [.biometryAny, .biometryCurrentSet, .or], [.biometryAny, .devicePasscode, .and, .or], .watch,
      SecAccessControlCreateFlags(rawValue: 1 << 7),
    ] as [SecAccessControlCreateFlags])
  func othersAreRefusedWithAnError(flags: SecAccessControlCreateFlags) {
    var error: Unmanaged<CFError>?
    #expect(SecAccessControlCreateWithFlags(nil, "ak" as NSString, flags, &error) == nil)
    #expect(error?.takeRetainedValue().code == -50)
  }

  @Test(arguments: ["", "xx"])
  func anUnknownProtectionIsRefusedWithAnError(protection: String) {
    var error: Unmanaged<CFError>?
    #expect(
      SecAccessControlCreateWithFlags(nil, protection as NSString, .userPresence, &error) == nil)
    #expect(error?.takeRetainedValue().domain == NSOSStatusErrorDomain)
  }

  @Test func aProtectionThatIsNoStringIsRefused() {
    #expect(SecAccessControlCreateWithFlags(nil, 5 as NSNumber, [], nil) == nil)
    #expect(SecAccessControlCreateWithFlags(nil, NSNull(), [], nil) == nil)
  }

  @Test func severalConstraintsAreAllNeededUnlessOneIsEnough() {
    #expect(make([.biometryAny, .devicePasscode]) == make([.biometryAny, .devicePasscode, .and]))
    #expect(make([.biometryAny, .devicePasscode]) != make([.biometryAny, .devicePasscode, .or]))
  }

  @Test func aWatchIsMissedOnlyWhereNothingElseIsEnough() {
    #expect(make([.biometryAny, .watch, .or]) == make([.biometryAny]))
    #expect(make([.biometryAny, .watch]) == nil)
  }

  @Test func equalFlagsMakeEqualObjects() {
    #expect(make(.userPresence) == make(.userPresence))
    #expect(make(.userPresence) != make(.biometryAny))
    #expect(make(.userPresence)?.hash == make(.userPresence)?.hash)
  }
}
