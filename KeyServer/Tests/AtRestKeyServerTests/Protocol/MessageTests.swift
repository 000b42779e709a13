import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

@Suite struct MessageTests {
  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let encoded: Data
    let recode: @Sendable (Data) throws -> Data

    init<M: Message>(_ message: M) {
      description = "\(M.self)"
      encoded = message.encoded
      recode = { try M(decoding: $0).encoded }
    }
  }

  static let samples =
    [
      Sample(Enrolment(code: "ABCDE-FGHJK", publicKey: Data(count: 65), label: "Eva's phone")),
      Sample(Proof(account: "eva", attempt: Data(count: 16), signature: Data(count: 64))),
      Sample(Proof.Answer(unproved: 7)),
      Sample(Proof.Answer(unproved: 7, carried: Data(count: HardenedRoot.carriedCount))),
      Sample(KeyRequest(.keyEncryption, name: "documents", version: 3, creates: true)),
      Sample(KeyRequest.Answer(version: 3, minimum: 1, key: Data(count: 32))),
      Sample(RefusalBody(code: "throttled", message: "m", remedy: "r", retryAfter: 7, sequence: 8)),
    ] + EvaluationSuite.allCases.flatMap(ofSuite)

  private static func ofSuite(_ suite: EvaluationSuite) -> [Sample] {
    let element = GroupElement(suite, Data(count: suite.elementCount))
    let former = Proof(account: "eva", attempt: Data(count: 16), signature: Data(count: 64))
    return [
      Sample(
        Enrolment.Answer(
          realm: Data(count: 16), device: Data(count: 16), account: "eva", publicKey: element)),
      Sample(Evaluation(account: "eva", element: element)),
      Sample(
        Evaluation.Answer(
          attempt: Data(count: 16), remaining: 9, publicKey: element,
          evaluation: Data(count: suite.evaluationCount))),
      Sample(
        Registration(
          account: "eva", publicKey: element, verifyingKey: Data(count: 32),
          carried: Data(count: HardenedRoot.carriedCount), former: former)),
      Sample(
        Registration(
          account: "eva", publicKey: element, verifyingKey: Data(count: 32), former: nil)),
      Sample(Successor(publicKey: element, signature: Data(count: 96))),
      Sample(Move(account: "eva", publicKey: element, signature: Data(count: 64))),
    ]
  }

  @Test(arguments: samples) func `A message survives encoding`(sample: Sample) throws {
    #expect(try sample.recode(sample.encoded) == sample.encoded)
  }

  @Test(arguments: samples) func `A message that is cut off or extended is refused`(sample: Sample)
  {
    for count in 0..<sample.encoded.count {
      expectError(.damaged) { try sample.recode(sample.encoded.prefix(count)) }
    }
    expectError(.damaged) { try sample.recode(sample.encoded + [0]) }
  }

  @Test(arguments: samples) func `A changed byte never crashes`(sample: Sample) {
    for index in sample.encoded.indices {
      for value in [UInt8(0), 1, 0x7F, 0xFF] {
        var bytes = sample.encoded
        bytes[index] = value
        do { _ = try sample.recode(bytes) } catch { #expect(error is AtRestError) }
      }
    }
  }

  @Test func `A text above its limit is refused`() {
    var writer = MessageWriter()
    writer.counted(utf8: String(repeating: "a", count: 256))
    EvaluationKey().publicKey.write(to: &writer)
    expectError(.damaged) { try Evaluation(decoding: writer.data) }
  }

  @Test func `Text that is not UTF-8 is refused`() {
    var writer = MessageWriter()
    writer.counted(Data([0xC3, 0x28]))
    EvaluationKey().publicKey.write(to: &writer)
    expectError(.damaged) { try Evaluation(decoding: writer.data) }
  }

  @Test func `An unknown suite is refused`() {
    let known = Evaluation(account: "eva", element: EvaluationKey().publicKey).encoded
    for number in [UInt8(0), 3, 255] {
      var bytes = known
      bytes[5] = number
      expectError(.damaged) { try Evaluation(decoding: bytes) }
    }
  }

  @Test func `An unknown kind of key is refused`() {
    var bytes = KeyRequest(.deviceShare, name: "a").encoded
    bytes[0] = 9
    expectError(.damaged) { try KeyRequest(decoding: bytes) }
  }
}
