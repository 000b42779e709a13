import AtRestContainers
import Foundation
import Testing

@Suite struct EncodedRunTests {
  private static let secret = "canary-in-disguise"

  private func decoded(_ text: some Sequence<UInt8>) -> [String: [UInt8]] {
    Dictionary(
      EncodedRun.candidates(in: Array(text)).runs.map { ($0.encoding, $0.bytes) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test(arguments: [
    ("base64", #"{"v":"Y2FuYXJ5LWluLWRpc2d1aXNl"}"#),
    ("base64url", "x=Y2FuYXJ5LWluLWRpc2d1aXNl_-_-"),
    ("hex", "<63616e6172792d696e2d6469736775697365>"),
    ("hex", "63:61:6e:61:72:79:2d:69:6e:2d:64:69:73:67:75:69:73:65"),
    ("hex", "<63616e61 72792d69 6e2d6469 73677569 7365>"),
    ("percent", "a=%63anary-in%2Ddisguise"),
    ("escapes", #""canary\u002din\x2Ddisguise""#),
    ("entities", "<p>canary&#45;in&#x2d;disguise</p>"),
    ("quoted-printable", "canary=2Din=2Ddis=\r\nguise"),
  ])
  func aRunIsDecoded(_ encoding: String, _ text: String) {
    let bytes = decoded(text.utf8)[encoding] ?? []
    #expect(String(decoding: bytes, as: UTF8.self).contains(Self.secret))
  }

  @Test func packedBytesAreUnpackedWhereverTheyBegin() throws {
    // The secret repeated twenty times, as gzip and zlib compress it.
    let gzip = try #require(
      Data(base64Encoded: "H4sIAAAAAAACA0tOzEssqtTNzNNNySxOL80sTk0eFaGBCABp9LstaAEAAA=="))
    let zlib = try #require(
      Data(base64Encoded: "eJxLTsxLLKrUzczTTcksTi/NLE5NHhWhgQgAUWmM8Q=="))
    #expect(decoded(Array("head".utf8) + gzip)["gzip"]?.count == 360)
    #expect(decoded(Array("head".utf8) + zlib + Array("tail".utf8))["zlib"]?.count == 360)
  }

  @Test func nestedEncodingsAreFollowedToTheGivenDepth() throws {
    let matcher = CanaryMatcher([try Canary(name: "c", value: Self.secret)])
    var text = #"{"v":"\#(Self.secret)"}"#
    for _ in 0..<4 { text = Data(text.utf8).base64EncodedString() }
    let bytes = Array(text.utf8)
    // The matcher recognises the innermost two without decoding them.
    #expect(matcher.matches(in: bytes, decoding: 1).matches.isEmpty)
    let found = matcher.matches(in: bytes, decoding: 2).matches
    #expect(found.map(\.encodings) == [["base64", "base64", "base64", "base64"]])
  }

  @Test func wordsAndNamesAreNotTakenForEncodings() {
    for text in ["The quick brown fox", "550e8400-e29b-41d4-a716-446655440000", "a=1&b=2", "50 %"] {
      #expect(EncodedRun.candidates(in: Array(text.utf8)).runs.isEmpty)
    }
  }

  @Test func aBombIsStoppedAtTheLimit() throws {
    let zeros = try #require(
      Data(
        base64Encoded:
          "eJztwTEBAAAAwqD1T20ND6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAvgzqYAAB"
      ))
    let (runs, isComplete) = EncodedRun.candidates(in: Array(zeros), limit: 4096)
    #expect(!isComplete)
    #expect(runs.allSatisfy { $0.bytes.count <= 4096 || $0.encoding != "zlib" })
  }

  @Test func headsWithoutStreamsEndSoon() {
    let heads = Array(repeating: [UInt8](arrayLiteral: 0x78, 0x9C, 0, 0), count: 100_000).joined()
    let (runs, isComplete) = EncodedRun.candidates(in: Array(heads), limit: 1 << 20)
    #expect(runs.isEmpty && !isComplete)
  }

  @Test func noBytesBringItDown() throws {
    let sample = Array(
      #"{"p":"hunter2!","j":"eyJhbGciOiJIUzI1NiJ9.e30.c2ln","v":"\u00eb%41&#65;=3D","c":"4111 1111"}"#
        .utf8)
    let matcher = CanaryMatcher([try Canary(name: "c", value: "4111 1111-Zoë")])
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      let found = matcher.matches(in: bytes, decoding: 3, limit: 1 << 16).matches.map(\.range)
      let detected = SecretDetector().detections(in: bytes, name: "token").map(\.range)
      #expect((found + detected).allSatisfy { $0.upperBound <= bytes.count })
    }
  }
}
