import Foundation
import Security
import Testing

@Suite struct StatusMessageTests {
  /// The messages of all codes that have one, as a caller receives them.
  private static let messages: [OSStatus: String] = (OSStatus(-70_000)...0).reduce(into: [:]) {
    let message = SecCopyErrorMessageString($1, nil) as String? ?? ""
    if message != "OSStatus \($1)" { $0[$1] = message }
  }

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

  @Test func everyCodeHasAMessage() { #expect(Self.messages.count == 381) }

  @Test func noTwoCodesShareAMessage() {
    #expect(Set(Self.messages.values).count == Self.messages.count)
  }

  @Test func aMessageIsASentence() {
    #expect(
      SecCopyErrorMessageString(errSecItemNotFound, nil) == "The keychain has no such item.")
    for message in Self.messages.values { #expect(message.hasSuffix(".")) }
  }

  @Test(arguments: [1, -1, .max, .min] as [OSStatus])
  func theMessageOfAnUnknownCodeIsItsNumber(code: OSStatus) {
    #expect(SecCopyErrorMessageString(code, nil) == "OSStatus \(code)" as CFString)
  }
}
