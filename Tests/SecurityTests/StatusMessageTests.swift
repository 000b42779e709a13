import Foundation
import Testing

@testable import Security

@Suite struct StatusMessageTests {
  private static let tables = [
    StatusMessages.keychain, StatusMessages.trust, StatusMessages.module,
    StatusMessages.attribute, StatusMessages.request,
  ]

  @Test func codesHaveApplesValues() {
    #expect(errSecParam == -50)
    #expect(errSecAuthFailed == -25293)
    #expect(errSecDuplicateItem == -25299)
    #expect(errSecItemNotFound == -25300)
    #expect(errSecInteractionNotAllowed == -25308)
    #expect(errSecMissingEntitlement == -34018)
    #expect(errSecVerifyFailed == -67808)
    #expect(errSecInternalError == -67671)
  }

  /// A value given twice in one table traps when the table is read; here between two of them.
  @Test func noTwoCodesShareAValue() {
    #expect(StatusMessages.all.count == Self.tables.map(\.count).reduce(0, +))
    #expect(StatusMessages.all.count == 381)
  }

  @Test func noTwoCodesShareAMessage() {
    #expect(Set(StatusMessages.all.values).count == StatusMessages.all.count)
  }

  @Test func theMessageOfACodeIsASentence() {
    #expect(
      SecCopyErrorMessageString(errSecItemNotFound, nil) == "The keychain has no such item.")
    for code in StatusMessages.all.keys {
      #expect((SecCopyErrorMessageString(code, nil) as String?)?.hasSuffix(".") == true)
    }
  }

  @Test(arguments: [1, -1, .max, .min] as [OSStatus])
  func theMessageOfAnUnknownCodeIsItsNumber(code: OSStatus) {
    #expect(SecCopyErrorMessageString(code, nil) == "OSStatus \(code)" as CFString)
  }
}
