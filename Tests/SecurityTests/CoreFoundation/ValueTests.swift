import Security
import Testing

/// Tests Core Foundation's functions for numbers, dates, UUIDs and errors.
@Suite struct ValueTests {
  @Test func aNumberKeepsItsValueButIsNoBoolean() {
    var (small, large, real): (Int8, Int64, Double) = (1, .max, 1.5)
    let number = CFNumberCreate(nil, .sInt8Type, &small)
    #expect(number == 1)
    #expect(CFGetTypeID(number) == CFNumberGetTypeID())
    #expect(CFNumberCreate(nil, .longLongType, &large) as? Int64 == .max)
    #expect(CFNumberCreate(nil, .doubleType, &real) as? Double == 1.5)
    #expect(CFNumberCompare(1, 2, nil) == .compareLessThan)
  }

  @Test func aNumberSaysWhetherItFits() {
    var (small, large, real): (Int8, Int64, Double) = (0, 0, 0)
    #expect(CFNumberGetValue(7, .sInt8Type, &small) && small == 7)
    #expect(!CFNumberGetValue(300, .sInt8Type, &small))
    #expect(CFNumberGetValue(300, .sInt64Type, &large) && large == 300)
    #expect(!CFNumberGetValue(1.5, .sInt64Type, &large))
    #expect(CFNumberGetValue(1.5, .float64Type, &real) && real == 1.5)
  }

  @Test func datesAreSecondsOfThisMillennium() {
    let date = CFDateCreate(nil, 60)
    #expect(date as Date? == Date(timeIntervalSince1970: kCFAbsoluteTimeIntervalSince1970 + 60))
    #expect(CFDateGetAbsoluteTime(date) == 60)
    #expect(CFDateCompare(date, CFDateCreate(nil, 61), nil) == .compareLessThan)
    #expect(CFDateGetTimeIntervalSinceDate(date, CFDateCreate(nil, 50)) == 10)
    #expect(CFAbsoluteTimeGetCurrent() > 800_000_000)
  }

  @Test func aUUIDSurvivesItsText() {
    let uuid = CFUUIDCreate(nil)
    #expect(CFUUIDCreateFromString(nil, CFUUIDCreateString(nil, uuid)) == uuid)
    #expect(CFUUIDCreateFromString(nil, "x") == nil)
    #expect(CFGetTypeID(uuid) == CFUUIDGetTypeID())
  }

  @Test func anErrorHasItsParts() {
    let info = [
      kCFErrorLocalizedFailureReasonKey: "locked",
      kCFErrorLocalizedRecoverySuggestionKey: "unlock",
    ]
    let error = CFErrorCreate(nil, kCFErrorDomainOSStatus, -25308, info as CFDictionary)
    #expect(CFErrorGetDomain(error) == kCFErrorDomainOSStatus)
    #expect(CFErrorGetCode(error) == -25308)
    #expect(CFErrorCopyFailureReason(error) == "locked")
    #expect(CFErrorCopyRecoverySuggestion(error) == "unlock")
    #expect(CFErrorCopyUserInfo(error)?.count == 2)
  }
}
