import AtRestContainers
import AtRestFormats
import Crypto
import Foundation
import Testing

@Suite struct CanaryMatcherTests {
  private static let value = "Zoë's pass/word<9>?"

  private static let matcher = Result { try matcher(of: value) }

  private static func matcher(of value: String) throws -> CanaryMatcher {
    CanaryMatcher([try Canary(name: "c", value: value)])
  }

  private func found(_ value: String, in text: some Sequence<UInt8>) throws -> [[String]] {
    let matcher =
      value == Self.value ? try Self.matcher.get() : try Self.matcher(of: value)
    return matcher.matches(in: Array(text)).map(\.encodings)
  }

  private static func hex(_ bytes: some Sequence<UInt8>, _ separator: String = "") -> String {
    bytes.map { String(format: "%02x", $0) }.joined(separator: separator)
  }

  private static func base64(_ text: some Sequence<UInt8>) -> String {
    Data(text).base64EncodedString()
  }

  private static let utf16 = value.utf16.flatMap {
    [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
  }

  private static let texts: [(String, [String])] = [
    ("x\(value)y", []),
    ("x\(value.decomposedStringWithCanonicalMapping)y", ["nfd"]),
    ("xZOë'S PASS/WORD<9>?y", ["changed case"]),
    (String(value.reversed()), ["reversed"]),
    (base64(value.utf8), ["base64"]),
    (base64(("a" + value).utf8), ["base64"]),
    (base64(("ab" + value + "cd").utf8), ["base64"]),
    (base64(utf16), ["base64", "utf-16"]),
    (base64(hex(value.utf8).utf8), ["base64", "hex"]),
    (base64(base64(value.utf8).utf8), ["base64", "base64"]),
    (base64(base64(("ab" + value).utf8).utf8), ["base64", "base64"]),
    (hex(value.utf8), ["hex"]),
    (hex(value.utf8).uppercased(), ["hex"]),
    (hex(value.utf8, ":"), ["hex"]),
    (hex(value.utf8, " "), ["hex"]),
    (hex(utf16), ["hex", "utf-16"]),
    (hex(base64(value.utf8).utf8), ["hex", "base64"]),
    ("Zo%C3%AB%27s%20pass%2Fword%3C9%3E%3F", ["percent"]),
    ("Zo%c3%ab%27s+pass%2fword%3c9%3e%3f", ["percent"]),
    ("Zo%25C3%25AB%2527s%2520pass%252Fword%253C9%253E%253F", ["percent", "percent"]),
    (value.utf8.map { String(format: "%%%02X", $0) }.joined(), ["percent"]),
    (#"Zo\u00ebs"#.replacingOccurrences(of: "bs", with: "b's pass/word<9>?"), ["escapes"]),
    (#"Zo\u00EB's pass\/word<9>?"#, ["escapes"]),
    (value.utf16.map { String(format: #"\u%04x"#, $0) }.joined(), ["escapes"]),
    (#"Zo\xc3\xab's pass/word<9>?"#, ["escapes"]),
    (#"Zo\303\253's pass/word<9>?"#, ["escapes"]),
    ("Zo=C3=AB's pass/word<9>?", ["quoted-printable"]),
    ("Zo&euml;&apos;s pass/word&lt;9&gt;?", ["entities"]),
    ("Zo&#235;&#39;s pass/word&#60;9&#62;?", ["entities"]),
    ("Zo&#xeb;&#x27;s pass/word&#x3C;9&#x3e;?", ["entities"]),
    (hex(SHA256.hash(data: Data(value.utf8))), ["hex", "sha-256"]),
    (hex(Insecure.MD5.hash(data: Data(value.utf8))).uppercased(), ["hex", "md5"]),
    (base64(Insecure.SHA1.hash(data: Data(value.utf8))), ["base64", "sha-1"]),
    (base64(SHA512.hash(data: Data(value.utf8))), ["base64", "sha-512"]),
  ]

  @Test(arguments: texts)
  func aWritingIsFoundAndCalledByItsName(_ text: String, _ encodings: [String]) throws {
    #expect(try found(Self.value, in: Array("before \(text)".utf8)) == [encodings])
  }

  @Test func wideCharactersAreFoundInEitherOrder() throws {
    let big = Self.value.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    #expect(try found(Self.value, in: Self.utf16) == [["utf-16"]])
    #expect(try found(Self.value, in: big) == [["utf-16"]])
  }

  @Test func anExclusiveOrWithAnyByteIsFound() throws {
    for key in UInt8(1)...255 {
      let name = "xor 0x" + String(format: "%02x", key)
      #expect(try found(Self.value, in: Self.value.utf8.map { $0 ^ key }) == [[name]])
    }
  }

  @Test func base64IsFoundAcrossLineBreaks() throws {
    let text = String(repeating: "q", count: 100) + Self.value
    for lead in 0..<76 {
      let data = Data(text.dropFirst(lead).utf8)
      let lines = data.base64EncodedData(options: [.lineLength76Characters])
      #expect(try found(Self.value, in: lines) == [["base64"]])
      let escaped = String(decoding: lines, as: UTF8.self)
        .replacingOccurrences(of: "\r\n", with: #"\r\n"#).replacingOccurrences(
          of: "/", with: #"\/"#)
      #expect(try found(Self.value, in: escaped.utf8) == [["base64"]])
    }
  }

  @Test(arguments: [
    "4111111111111111", "4111-1111-1111-1111", "4111.1111.1111.1111", "4111\u{A0}1111 1111 1111",
  ])
  func aNumberIsFoundInOtherGroups(_ text: String) throws {
    #expect(try found("4111 1111 1111 1111", in: text.utf8) == [["separators"]])
    #expect(try !found("4111111111111111", in: text.utf8).isEmpty)
  }

  @Test func aDigestOfAShortCanaryIsFound() throws {
    let text = Self.hex(SHA256.hash(data: Data("4821".utf8)))
    #expect(try found("4821", in: text.utf8) == [["hex", "sha-256"]])
  }

  @Test func aShortCanaryStandsAlone() throws {
    for text in ["14821", "a4821f", "48210", "48.21", "x'34383231'00"] {
      #expect(try found("4821", in: text.utf8) == (text.hasPrefix("x") ? [["hex"]] : []))
    }
    #expect(try found("4821", in: #"{"pin":"4821"}"#.utf8) == [[]])
    #expect(try found("4821", in: #"{"pin":"NDgyMQ=="}"#.utf8) == [["base64"]])
    #expect(try found("4821", in: "1284".utf8).isEmpty)
    #expect(try found("4821", in: "4821".utf8.map { $0 ^ 0x5A }).isEmpty)
  }

  @Test func countersAreNoCanaries() throws {
    let counters = (0...255).map { UInt8($0) }
    #expect(try found("12345678", in: counters + counters.map { $0 ^ 0x30 }).isEmpty)
    #expect(try found("4111111111111111", in: [UInt8](repeating: 7, count: 4096)).isEmpty)
  }

  /// A key or a UUID, typed in hexadecimal digits, whose bytes an app stores.
  @Test(arguments: [
    "95279abe2e3d34657490da4593fa056b", "95279ABE-2E3D-3465-7490-DA4593FA056B",
    "95:27:9a:be:2e:3d:34:65:74:90:da:45:93:fa:05:6b",
  ])
  func theBytesOfDigitsAreFound(_ value: String) throws {
    let bytes: [UInt8] = [
      0x95, 0x27, 0x9A, 0xBE, 0x2E, 0x3D, 0x34, 0x65, 0x74, 0x90, 0xDA, 0x45, 0x93, 0xFA, 5, 0x6B,
    ]
    #expect(try found(value, in: [1, 2] + bytes + [3]) == [["binary"]])
    #expect(try found(value, in: bytes.dropLast()).isEmpty)
  }

  @Test func fewOrEqualBytesAreNone() throws {
    #expect(try found("95279abe", in: [0x95, 0x27, 0x9A, 0xBE]).isEmpty)
    #expect(try found("111111111111", in: [UInt8](repeating: 0x11, count: 40)).isEmpty)
  }

  @Test func chanceFindsNothing() throws {
    let canaries = try (0..<40).map { try Canary(name: "\($0)", value: "canary-\($0 * 7919)") }
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<1 << 18).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(CanaryMatcher(canaries).matches(in: bytes).isEmpty)
    #expect(CanaryMatcher(canaries).matches(in: Array(Self.base64(bytes).utf8)).isEmpty)
  }

  @Test func aMatchSaysWhere() throws {
    let matcher = CanaryMatcher([
      try Canary(name: "a", value: "first-value"), try Canary(name: "b", value: "second-value"),
    ])
    let matches = matcher.matches(in: Array("..second-value,first-value".utf8))
    #expect(matches.map(\.canary.name) == ["b", "a"])
    #expect(matches.map(\.range) == [2..<14, 15..<26])
  }

  @Test func aStreamGivesWhatTheWholeGives() throws {
    var random = SeededGenerator(seed: 3)
    var bytes: [UInt8] = []
    let values = ["first-value", "4111 1111 1111 1111", "Zoë@example.com", "4821"]
    let matcher = CanaryMatcher(try values.map { try Canary(name: $0, value: $0) })
    for index in 0..<400 {
      bytes += (0..<Int.random(in: 1..<200, using: &random)).map { _ in
        UInt8.random(in: 0x20..<0x7F, using: &random)
      }
      let value = values[index % 4]
      bytes += Array((index % 3 == 0 ? Self.base64(value.utf8) : " \(value) ").utf8)
    }
    let whole = matcher.matches(in: bytes)
    #expect(whole.count >= 350)
    for size in [97, 1000, 5000] {
      var stream = CanaryStream(matcher)
      var matches: [CanaryMatch] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        matches += stream.append(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(matches + stream.finish() == whole)
    }
    var matches: [CanaryMatch] = []
    try matcher.forEachMatch(in: ByteSource(bytes)) { matches.append($0) }
    #expect(matches == whole)
  }
}
