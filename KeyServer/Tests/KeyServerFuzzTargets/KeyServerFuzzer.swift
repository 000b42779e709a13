import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Crypto
import Foundation

/// Reads inputs of one target.
package final class KeyServerFuzzer {
  /// A result that no input may cause.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  private let target: KeyServerFuzzTarget
  private let store: KeyServerStore
  private let account = "eva"
  private let device = P256.Signing.PrivateKey()
  private let enrolled: Enrolment.Answer
  private let blinded: BlindedInput
  private let older = EvaluationKey(.p384)
  private var sequence: UInt64 = 1
  /// The inputs that were accepted as a whole.
  package private(set) var acceptedCount = 0

  package init(_ target: KeyServerFuzzTarget) throws {
    self.target = target
    // One connection is enough for one thread, so the database can be in memory.
    store = try KeyServerStore(
      Database(.embedded(path: ":memory:")), serverKey: .random(count: 32),
      rules: AttemptRules(limit: 100, delays: []))
    try store.createAccount(
      account, policy: AccountPolicy(allowsUnknownDevices: true),
      suite: target == .server ? .p384 : .ristretto255)
    enrolled = try store.enrol(
      Enrolment(
        code: store.createCode(for: account), publicKey: device.publicKey.x963Representation,
        label: ""), sequence: 1, isSigned: true)
    blinded = try BlindedInput(SecretBytes(utf8: "input"), publicKey: enrolled.publicKey)
  }

  /// Reads an input. A refusal with an `AtRestError` is no finding.
  package func run(_ input: Data) throws {
    let kind = input.first ?? 0
    let body = Data(input.dropFirst())
    do {
      switch target {
      case .messages: try decode(kind, body)
      case .server: try request(kind, body)
      case .answers: try answer(kind, body)
      case .rows:
        let record = RecordKind(rawValue: kind % UInt8(RecordKind.allCases.count))!
        try check(record.recode(body), body, "a record")
      }
      acceptedCount += 1
    } catch is AtRestError {
      return
    }
  }

  private func check(_ encoded: Data, _ body: Data, _ name: String) throws {
    guard encoded == body else { throw Fault(description: "\(name) has two encodings.") }
  }

  // MARK: Messages

  private static let messages: [any Message.Type] = [
    Enrolment.self, Enrolment.Answer.self, Evaluation.self, Evaluation.Answer.self, Proof.self,
    Registration.self, KeyRequest.self, KeyRequest.Answer.self, RefusalBody.self, Proof.Answer.self,
    Successor.self, Move.self,
  ]

  private func decode(_ kind: UInt8, _ body: Data) throws {
    let type = Self.messages[Int(kind) % Self.messages.count]
    try check(type.init(decoding: body).encoded, body, "\(type)")
  }

  /// Sends a request as the account's device, or without a signature.
  private func request(_ kind: UInt8, _ body: Data) throws {
    // Attempts must not run out, or the rest would be refused unread.
    try store.unlockAccount(account)
    switch kind % 8 {
    case 0:
      let enrolment = try Enrolment(decoding: body)
      _ = try store.enrol(enrolment, sequence: 1, isSigned: true)
    case 1:
      let evaluation = try Evaluation(decoding: body)
      let signature = kind < 128 ? try signature(body) : nil
      _ = try store.count(evaluation, signature).evaluate(evaluation.element)
    case 2: try store.prove(Proof(decoding: body), signature(body))
    case 3: try store.register(Registration(decoding: body), signature(body))
    case 4: _ = try store.key(KeyRequest(decoding: body), signature(body))
    case 5: try store.move(Move(decoding: body), signature(body))
    case 6:
      _ = try Empty(decoding: body)
      _ = try store.successor(signature(body))
    default:
      let request = try KeyRequest(decoding: body)
      _ =
        kind < 128
        ? try store.raiseMinimum(request, signature(body))
        : try store.rotateKey(request, signature(body))
    }
  }

  private func signature(_ body: Data) throws -> RequestSignature {
    sequence += 1
    let request = SignedRequest(
      realm: enrolled.realm, device: enrolled.device, sequence: sequence, path: "/", body: body)
    return RequestSignature(
      request: request, signature: try device.signature(for: request.signedBytes).rawRepresentation)
  }

  /// Reads an answer as a client does.
  private func answer(_ kind: UInt8, _ body: Data) throws {
    switch kind % 6 {
    case 0:
      let answer = try Evaluation.Answer(decoding: body)
      _ = try blinded.finalize(answer.evaluation)
    case 1:
      let answer = try Enrolment.Answer(decoding: body)
      _ = try BlindedInput(SecretBytes(utf8: "input"), publicKey: answer.publicKey)
    case 2: _ = try RefusalBody(decoding: body)
    case 3:
      let successor = try Successor(decoding: body)
      _ = successor.follows(older.publicKey, realm: enrolled.realm, account: account)
    case 4: _ = try Proof.Answer(decoding: body)
    default: _ = try KeyRequest.Answer(decoding: body)
    }
  }

  // MARK: Honest inputs

  /// Inputs that are accepted.
  package func seeds() throws -> [Data] {
    func numbered(_ bodies: [Data]) -> [Data] {
      bodies.enumerated().map { Data([UInt8($0.offset)]) + $0.element }
    }
    let element = blinded.element
    let proof = Proof(account: account, attempt: Data(count: 16), signature: Data(count: 64))
    let keyRequest = KeyRequest(.keyEncryption, name: "documents", creates: true)
    let evaluated = try store.count(Evaluation(account: account, element: element), nil)
      .evaluate(element)
    let enrolment = Enrolment(
      code: "AAAAA-AAAAA", publicKey: device.publicKey.x963Representation, label: "a phone")
    let registration = Registration(
      account: account, publicKey: enrolled.publicKey, verifyingKey: Data(count: 32), former: proof)
    let first = Registration(
      account: account, publicKey: enrolled.publicKey, verifyingKey: Data(count: 32), former: nil)
    let move = Move(account: account, publicKey: element, signature: Data(count: 64))
    let successor = try Successor(
      element, of: older.privateKey, realm: enrolled.realm, account: account)
    let proved = Proof.Answer(unproved: 1, carried: Data(count: HardenedRoot.carriedCount))
    let refusal = RefusalBody(code: "throttled", message: "Wait.", remedy: "Wait.", retryAfter: 7)
    let key = KeyRequest.Answer(version: 1, minimum: 1, key: Data(count: 32))
    switch target {
    case .messages:
      return numbered([
        enrolment.encoded, enrolled.encoded, Evaluation(account: account, element: element).encoded,
        evaluated.encoded, proof.encoded, registration.encoded, keyRequest.encoded, key.encoded,
        refusal.encoded, proved.encoded, successor.encoded, move.encoded,
      ])
    case .server:
      return numbered([
        enrolment.encoded, Evaluation(account: account, element: element).encoded, proof.encoded,
        first.encoded, keyRequest.encoded,
        Move(
          account: account, publicKey: enrolled.publicKey, signature: Data(count: 64)
        ).encoded, Data(), KeyRequest(.deviceShare, name: "disk").encoded,
      ])
    case .answers:
      return numbered([
        evaluated.encoded, enrolled.encoded, refusal.encoded, successor.encoded, proved.encoded,
        key.encoded,
      ])
    case .rows:
      return numbered(RecordKind.allCases.map(\.sample))
        + RecordKind.movingAccounts.map { Data([RecordKind.account.rawValue]) + $0 }
    }
  }
}
