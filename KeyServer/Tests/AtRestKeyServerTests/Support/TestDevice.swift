import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Crypto
import Foundation
import Synchronization

/// A device that talks to a store without a network.
final class TestDevice: Sendable {
  let key: P256.Signing.PrivateKey
  let realm: Data
  let id: Data
  let account: String
  let publicKey: GroupElement
  private let sequence = Mutex<UInt64>(1)

  /// Enrols a device with a new code.
  init(_ store: KeyServerStore, account: String, label: String = "a device") throws {
    key = P256.Signing.PrivateKey()
    let answer = try store.enrol(
      Enrolment(
        code: store.createCode(for: account), publicKey: key.publicKey.x963Representation,
        label: label), sequence: 1, isSigned: true)
    realm = answer.realm
    id = answer.device
    self.account = answer.account
    publicKey = answer.publicKey
  }

  /// Signs a request with the next sequence number, or with a given one.
  func signature(sequence given: UInt64? = nil, body: Data = Data()) throws -> RequestSignature {
    let number =
      given
      ?? sequence.withLock {
        $0 += 1
        return $0
      }
    let request = SignedRequest(
      realm: realm, device: id, sequence: number, path: "/v1/test", body: body)
    return RequestSignature(
      request: request,
      signature: try key.signature(for: request.signedBytes).rawRepresentation)
  }

  /// Makes one attempt at a passphrase.
  func attempt(_ passphrase: String, _ store: KeyServerStore, signed: Bool = true) throws
    -> TestAttempt
  {
    try TestAttempt(
      passphrase, account: account, publicKey: publicKey, store, signed ? signature() : nil)
  }

  /// Registers a first passphrase.
  func register(_ passphrase: String, _ store: KeyServerStore) throws {
    let attempt = try attempt(passphrase, store)
    try store.register(attempt.registration(former: nil), signature())
  }
}

/// An attempt that was evaluated.
struct TestAttempt {
  let answer: Evaluation.Answer
  let account: String
  let key: Data
  let verifyingKey: Data
  let proof: Proof
  /// The output of the OPRF.
  private let output: Data

  init(
    _ passphrase: String, account: String, publicKey: GroupElement?, _ store: KeyServerStore,
    _ signature: RequestSignature?, suite: EvaluationSuite = .ristretto255
  ) throws {
    self.account = account
    let input = try HardenedRoot.input(
      SecretBytes(utf8: passphrase), realm: store.realm, account: account)
    // Blinding does not depend on the key.
    let blinded = try BlindedInput(input, publicKey: publicKey ?? EvaluationKey(suite).publicKey)
    answer = try store.count(Evaluation(account: account, element: blinded.element), signature)
      .evaluate(blinded.element)
    guard publicKey != nil else {
      (key, verifyingKey, output) = (Data(), Data(), Data())
      proof = Proof(account: account, attempt: answer.attempt, signature: Data(count: 64))
      return
    }
    output = Data(copying: try blinded.finalize(answer.evaluation))
    let root = try Self.root(output)
    key = Data(copying: root.key)
    verifyingKey = try root.verifyingKey
    proof = Proof(
      account: account, attempt: answer.attempt,
      signature: try root.proof(
        realm: store.realm, account: account, attempt: answer.attempt))
  }

  private static func root(_ output: Data) throws -> HardenedRoot {
    try HardenedRoot(output: SecretBytes(output), kdf: TestKDF.fast, salt: Data(count: 16))
  }

  /// The message that ends a move to the key of this attempt.
  func move(carried: Data, realm: Data) throws -> Move {
    try Self.root(output).move(
      to: answer.publicKey, carried: carried, realm: realm, account: account)
  }

  /// The registration of this passphrase.
  func registration(former: Proof?) -> Registration {
    Registration(
      account: account, publicKey: answer.publicKey, verifyingKey: verifyingKey, former: former)
  }
}
