import Security
import Testing

/// Tests Core Foundation's functions for strings.
@Suite struct StringTests {
  private typealias Encoding = CFStringBuiltInEncodings

  private static let encodings = CFStringBuiltInEncodings.tested

  @Test(arguments: encodings)
  func aStringSurvivesItsExternalRepresentation(encoding: CFStringEncoding) throws {
    let text = encoding == Encoding.ASCII.rawValue ? "cafe" : "café"
    let data = try #require(
      CFStringCreateExternalRepresentation(nil, text as CFString, encoding, 0))
    let back = CFStringCreateFromExternalRepresentation(nil, data, encoding)
    #expect(back as String? == text)
    let number = CFStringConvertEncodingToNSStringEncoding(encoding)
    #expect(CFStringConvertNSStringEncodingToEncoding(number) == encoding)
  }

  @Test func theBytesAreThoseOfTheEncoding() {
    func bytes(_ encoding: Encoding) -> Data? {
      CFStringCreateExternalRepresentation(nil, "é", encoding.rawValue, 0) as Data?
    }
    #expect(bytes(.UTF8) == Data([0xc3, 0xa9]))
    #expect(bytes(.isoLatin1) == Data([0xe9]))
    #expect(bytes(.UTF16BE) == Data([0, 0xe9]))
    #expect(bytes(.UTF16LE) == Data([0xe9, 0]))
    #expect(bytes(.macRoman) == Data([0x8e]))
    #expect(bytes(.ASCII) == nil)
  }

  @Test func aMissingCharacterIsReplaced() {
    let encoding = Encoding.ASCII.rawValue
    let data = CFStringCreateExternalRepresentation(nil, "aéb", encoding, 0x3f)
    #expect(data as Data? == Data("a?b".utf8))
    #expect(CFStringCreateExternalRepresentation(nil, "aéb", encoding, 0) == nil)
    #expect(CFStringCreateExternalRepresentation(nil, "a", kCFStringEncodingInvalidId, 0) == nil)
  }

  @Test func bytesBecomeAString() {
    let bytes: [UInt8] = [0xfe, 0xff, 0, 0x61]
    let marked = CFStringCreateWithBytes(nil, bytes, 4, Encoding.UTF16.rawValue, true)
    #expect(marked as String? == "a")
    let plain = CFStringCreateWithBytes(nil, [0x61, 0], 2, Encoding.UTF16.rawValue, false)
    #expect(plain as String? == "a")
    #expect(CFStringCreateWithBytes(nil, [0xff], 1, Encoding.UTF8.rawValue, false) == nil)
    #expect(CFStringCreateWithBytes(nil, nil, 0, Encoding.UTF8.rawValue, false) as String? == "")
    #expect(CFStringCreateWithCString(nil, "é", Encoding.UTF8.rawValue) as String? == "é")
  }

  @Test func aStringFitsIntoABuffer() {
    var buffer = [CChar](repeating: 1, count: 3)
    #expect(CFStringGetCString("é", &buffer, 3, Encoding.UTF8.rawValue))
    #expect(buffer == [CChar(bitPattern: 0xc3), CChar(bitPattern: 0xa9), 0])
    #expect(!CFStringGetCString("éa", &buffer, 3, Encoding.UTF8.rawValue))
    #expect(CFStringGetCStringPtr("a", Encoding.UTF8.rawValue) == nil)
  }

  @Test func partsAndCopies() {
    #expect(CFStringCreateWithSubstring(nil, "keychain", CFRangeMake(3, 5)) == "chain")
    #expect(CFStringHasPrefix("keychain", "key") && CFStringHasSuffix("keychain", "chain"))
    #expect(!CFStringHasPrefix("keychain", "chain"))
    let copy = CFStringCreateMutableCopy(nil, 0, "key")
    CFStringAppend(copy, "chain")
    #expect(CFStringCreateCopy(nil, copy) == "keychain")
    let empty = CFStringCreateMutable(nil, 0)
    CFStringAppend(empty, "a")
    #expect(CFStringGetLength(empty) == 1)
  }

  @Test func stringsAreCompared() {
    #expect(CFStringCompare("a", "b", []) == .compareLessThan)
    #expect(CFStringCompare("a", "A", .compareCaseInsensitive) == .compareEqualTo)
    #expect(CFStringCompare("a10", "a9", .compareNumerically) == .compareGreaterThan)
    #expect(CFStringCompare("\u{e9}", "e\u{301}", .compareNonliteral) == .compareEqualTo)
    #expect(CFStringCompare("\u{e9}", "e\u{301}", []) != .compareEqualTo)
  }
}

extension CFStringBuiltInEncodings {
  fileprivate static let tested: [CFStringEncoding] = [
    CFStringBuiltInEncodings.macRoman, .windowsLatin1, .isoLatin1, .nextStepLatin, .ASCII,
    .unicode, .UTF8, .nonLossyASCII, .UTF16BE, .UTF16LE, .UTF32, .UTF32BE, .UTF32LE,
  ].map(\.rawValue)
}
