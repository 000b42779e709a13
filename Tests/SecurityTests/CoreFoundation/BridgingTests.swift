import Foundation
import Security
import Testing

/// Tests that the types of Core Foundation behave as on Apple's platforms.
@Suite struct BridgingTests {
  @Test func aConstantFindsWhatIsUnderTheEqualString() throws {
    try onDevice { _ in
      _ = add(password())
      let found = find(query([kSecReturnAttributes: true])).result
      #expect((found as? [AnyHashable: Any])?[kSecAttrAccount] as? String == "eva")
      #expect((found as? [AnyHashable: Any])?["acct"] as? String == "eva")
      #expect((found as? [CFString: Any])?[kSecAttrAccount] as? String == "eva")
      #expect((found as? [String: Any])?[kSecAttrAccount as String] as? String == "eva")
    }
  }

  @Test func aBooleanIsNoNumber() {
    #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
    #expect(CFGetTypeID(true as NSNumber) == CFBooleanGetTypeID())
    #expect(CFGetTypeID(1 as NSNumber) == CFNumberGetTypeID())
    #expect(CFGetTypeID(NSNumber(value: Int8(1))) == CFNumberGetTypeID())
    #expect(CFGetTypeID(1.5 as NSNumber) == CFNumberGetTypeID())
    #expect(CFBooleanGetTypeID() != CFNumberGetTypeID())
    let values: [String: Any] = ["yes": kCFBooleanTrue as Any, "no": kCFBooleanFalse!]
    #expect(values["yes"] as? Bool == true && values["no"] as? Bool == false)
  }

  @Test func everyKindHasItsOwnNumber() throws {
    let kinds: [(CFTypeRef, CFTypeID)] = [
      ("a" as NSString, CFStringGetTypeID()), (Data() as NSData, CFDataGetTypeID()),
      (NSDate(), CFDateGetTypeID()), ([1] as NSArray, CFArrayGetTypeID()),
      (["a": 1] as NSDictionary, CFDictionaryGetTypeID()), (NSNull(), CFNullGetTypeID()),
      (try accessControl(.userPresence), SecAccessControlGetTypeID()),
    ]
    for (object, kind) in kinds { #expect(CFGetTypeID(object) == kind, "\(object)") }
    #expect(Set(kinds.map(\.1)).count == kinds.count)
  }

  @Test func objectsAreEqualByContent() {
    #expect(CFEqual("a" as NSString, "a" as NSString))
    #expect(!CFEqual("a" as NSString, "b" as NSString))
    #expect(CFEqual(nil, nil) && !CFEqual("a" as NSString, nil))
    #expect(CFHash("a" as NSString) == CFHash("a" as NSString))
  }
}
