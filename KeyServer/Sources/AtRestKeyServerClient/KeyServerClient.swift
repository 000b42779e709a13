@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Crypto
import Foundation
import Synchronization

@_exported import enum AtRestKeyServerProtocol.EvaluationSuite
@_exported import struct AtRestKeyServerProtocol.GroupElement
@_exported import struct AtRestKeyServerProtocol.RetryTime

/// A device's access to a key server: hardened passphrases, device shares and wrapped keys.
///
/// ```swift
/// let key = try PrivateKey.generate(.p256)
/// let transport = try TLSTransport(host: "keys.example.org")
/// let client = try KeyServerClient.enrol(code, label: "laptop", key: key, transport: transport)
/// let hardened = try client.harden(passphrase)
/// ```
///
/// A part of a composite key is `.server { try client.share("documents") }`. The Vault hardens its
/// passphrases with `options.passphraseHardener = { _ in client }`.
///
/// Every refusal is an error of its own: `keyServerOffline`, `notEnrolled`, `revoked`, `throttled`
/// with a ``RetryTime`` as its cause, `authenticationFailed` for a wrong passphrase, `keyDestroyed`,
/// and `otherServerKey` if the server does not have the pinned key.
///
/// The calls block while they wait for the server. Each has an asynchronous form of the same name.
/// Safe to use from several threads.
public final class KeyServerClient: PassphraseHardener, BlockingCalls {
  /// The identity of this device.
  ///
  /// If the account has an older suite, the identity changes once, after a call with the right passphrase: store it
  /// again then. A client with the former identity works too, and asks for the new one at each start.
  public var identity: KeyServerIdentity { pinned.withLock { $0 } }
  private let pinned: Mutex<KeyServerIdentity>
  private let key: PrivateKey
  private let transport: any KeyServerTransport
  let offline: OfflineKeys?
  private let sequence = Mutex<UInt64>(0)
  private let counts = Mutex<Attempts?>(nil)

  /// Creates a client for a device that is enrolled.
  ///
  /// - Parameters:
  ///   - key: The device's P-256 key.
  ///   - offline: A place to keep shares and wrapping keys for use without the server, if the
  ///     account's policy allows it.
  public init(
    _ identity: KeyServerIdentity, key: consuming PrivateKey, transport: any KeyServerTransport,
    offline: OfflineKeys? = nil
  ) {
    pinned = Mutex(identity)
    self.key = key
    self.transport = transport
    self.offline = offline
  }

  /// Enrols a device with a one-time code from the operator.
  ///
  /// - Parameters:
  ///   - label: A name by which the operator recognises the device, at most 128 bytes.
  ///   - key: The device's P-256 key, which the client keeps.
  ///   - offline: A place to keep shares and wrapping keys for use without the server.
  /// - Throws: `AtRestError.Code.notEnrolled` if the code is not valid;
  ///   `AtRestError.Code.invalidArgument` for a longer label; `AtRestError.Code.keyServerOffline`.
  public static func enrol(
    _ code: String, label: String, key: consuming PrivateKey, transport: any KeyServerTransport,
    offline: OfflineKeys? = nil
  ) throws -> KeyServerClient {
    guard label.utf8.count <= Limits.label else {
      throw AtRestError(
        .invalidArgument, "The label of a device has at most \(Limits.label) bytes.",
        remedy: "Choose a shorter one.")
    }
    guard code.utf8.count <= Limits.code else {
      throw AtRestError(
        .notEnrolled, "This is no enrolment code.", remedy: "Ask the operator for a code.")
    }
    let enrolment = Enrolment(
      code: code, publicKey: try key.publicKey.x963Representation(), label: label)
    let request = SignedRequest(
      realm: SignedRequest.unknown, device: SignedRequest.unknown, sequence: next(after: 0),
      path: "/v1/enrol", body: enrolment.encoded)
    let answer = try Enrolment.Answer(decoding: send(request, key, transport))
    return KeyServerClient(
      KeyServerIdentity(answer), key: key, transport: transport, offline: offline)
  }

  // MARK: Passphrases

  /// The server's counts of attempts at the account.
  public struct Attempts: Hashable, Sendable {
    /// The attempts that this device has left after the last one.
    public internal(set) var remaining: Int
    /// The attempts at the account that nobody proved since this device's last proof. Wrong passphrases of the
    /// owner are among them, and so are attempts of other devices that are at work at the moment. Show the number
    /// to the owner: it is how somebody who has a device's data is noticed.
    public internal(set) var unproved: Int
  }

  /// The counts that came with the last passphrase, or nil if there was none.
  public var attempts: Attempts? { counts.withLock { $0 } }

  public func setPassphrase(
    _ passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) throws -> SecretBytes {
    let evaluated = try evaluate(passphrase, kdf)
    do {
      try register(evaluated, former: nil)
    } catch AtRestError.Code.authenticationFailed {
      return try finish(proved(evaluated, passphrase, kdf), passphrase, kdf)
    }
    return evaluated.root.key
  }

  /// Returns the key that a passphrase gives, 32 bytes. The server counts the attempt before it
  /// takes part, and forgets the count after this call proved that the passphrase was right.
  ///
  /// If the account has an older suite, it moves to the present one afterwards, which takes one more KDF and six
  /// requests, once. The key stays the same, and ``identity`` changes.
  ///
  /// - Throws: `AtRestError.Code.authenticationFailed` if the passphrase is wrong; the other
  ///   refusals.
  public func harden(
    _ passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) throws -> SecretBytes {
    try finish(proved(evaluate(passphrase, kdf), passphrase, kdf), passphrase, kdf)
  }

  public func changePassphrase(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF = .scrypt(),
    _ prepare: (_ former: borrowing SecretBytes, _ present: borrowing SecretBytes) throws -> Void
  ) throws {
    let first = try proved(evaluate(old, kdf), old, kdf)
    let present = try evaluate(new, kdf)
    let former = try evaluate(old, kdf)
    try prepare(first.key(identity), present.root.key)
    try register(present, former: proof(former))
  }

  // MARK: Evaluation

  private func evaluate(
    _ passphrase: borrowing SecretBytes, _ kdf: PasswordKDF
  ) throws -> EvaluatedPassphrase {
    do {
      return try stretched(output(of: passphrase, with: identity.publicKey), kdf)
    } catch AtRestError.Code.moved {
      // Another device moved the account.
      let successor = try successor(of: identity.publicKey)
      pinned.withLock { $0.publicKey = successor }
      return try stretched(output(of: passphrase, with: successor), kdf)
    }
  }

  /// Lets the server evaluate a passphrase with the key that belongs to a public key.
  func output(
    of passphrase: borrowing SecretBytes, with publicKey: GroupElement
  ) throws -> EvaluatedPassphrase.Output {
    let input = try HardenedRoot.input(
      passphrase, realm: identity.realm, account: identity.account)
    let blinded = try BlindedInput(input, publicKey: publicKey)
    let message = Evaluation(account: identity.account, element: blinded.element)
    let answer = try Evaluation.Answer(decoding: request("/v1/evaluate", message.encoded))
    // An evaluation in another suite is one with another key.
    guard answer.publicKey.suite == publicKey.suite else { throw Self.otherSuite }
    return EvaluatedPassphrase.Output(
      bytes: try blinded.finalize(answer.evaluation), publicKey: publicKey,
      attempt: answer.attempt, remaining: Int(answer.remaining))
  }

  private static let otherSuite = AtRestError(
    .otherServerKey, "The key server answered in another suite than the pinned one.",
    remedy: "Do not retry. Ask the operator whether the server was replaced or attacked.")

  func stretched(
    _ output: consuming EvaluatedPassphrase.Output, _ kdf: PasswordKDF
  ) throws -> EvaluatedPassphrase {
    EvaluatedPassphrase(
      root: try HardenedRoot(
        output: output.bytes, kdf: kdf, salt: HardenedRoot.salt(publicKey: output.publicKey)),
      publicKey: output.publicKey, attempt: output.attempt, remaining: output.remaining)
  }

  /// Proves that a passphrase is right. If the server does not know the attempt any more, because the operator or
  /// other processes of this device were faster, the passphrase is evaluated again.
  private func proved(
    _ evaluated: consuming EvaluatedPassphrase, _ passphrase: borrowing SecretBytes,
    _ kdf: PasswordKDF
  ) throws -> EvaluatedPassphrase {
    do {
      evaluated.carried = try prove(evaluated)
      return evaluated
    } catch AtRestError.Code.throttled {
      var again = try evaluate(passphrase, kdf)
      again.carried = try prove(again)
      return again
    }
  }

  /// Returns the key of a passphrase that was proved, and moves the account if it has an older suite.
  private func finish(
    _ evaluated: consuming EvaluatedPassphrase, _ passphrase: borrowing SecretBytes,
    _ kdf: PasswordKDF
  ) throws -> SecretBytes {
    let key = try evaluated.key(identity)
    if evaluated.publicKey.suite < .current {
      // The key is there. If the move fails, the next call begins it again.
      let moved = try? move(evaluated, passphrase, kdf, keeping: key)
      if let moved { pinned.withLock { $0.publicKey = moved } }
    }
    return key
  }

  func proof(_ evaluated: borrowing EvaluatedPassphrase) throws -> Proof {
    Proof(
      account: identity.account, attempt: evaluated.attempt,
      signature: try evaluated.root.proof(
        realm: identity.realm, account: identity.account, attempt: evaluated.attempt))
  }

  /// Proves that a passphrase is right.
  ///
  /// - Returns: The key of the application, sealed, if the account moved to another suite since the passphrase was set.
  func prove(_ evaluated: borrowing EvaluatedPassphrase) throws -> Data? {
    do {
      let answer = try Proof.Answer(decoding: request("/v1/prove", proof(evaluated).encoded))
      counts.withLock {
        $0 = Attempts(remaining: evaluated.remaining, unproved: Int(answer.unproved))
      }
      return answer.carried
    } catch AtRestError.Code.authenticationFailed {
      let left = evaluated.remaining
      counts.withLock { $0 = Attempts(remaining: left, unproved: $0?.unproved ?? 0) }
      throw AtRestError(
        .authenticationFailed, "The passphrase is wrong.",
        remedy: "Try again. This device has \(left) \(left == 1 ? "attempt" : "attempts") left.")
    }
  }

  func register(
    _ evaluated: borrowing EvaluatedPassphrase, carried: Data? = nil, former: Proof?
  ) throws {
    let message = Registration(
      account: identity.account, publicKey: evaluated.publicKey,
      verifyingKey: try evaluated.root.verifyingKey, carried: carried, former: former)
    _ = try request("/v1/register", message.encoded)
  }

  // MARK: Requests

  func request(_ path: String, _ body: Data) throws -> Data {
    // The sequence numbers of requests must arrive in rising order, so one is sent after the other.
    try sequence.withLock { last in
      for attempt in 0..<Self.maximumTries {
        last = Self.next(after: last)
        let request = SignedRequest(
          realm: identity.realm, device: identity.device, sequence: last, path: path, body: body)
        do {
          return try Self.send(request, key, transport)
        } catch let error as AtRestError {
          // Another process with the same key was faster, or the clock was ahead once. The server says from where
          // to go on; a gap keeps processes apart that do so at the same time.
          guard let number = (error.cause as? LastSequence)?.number, attempt < Self.maximumTries - 1
          else { throw error }
          last = number + (attempt == 0 ? 0 : .random(in: 0..<1000))
        }
      }
      preconditionFailure("The last attempt returns or throws.")
    }
  }

  private static let maximumTries = 20

  /// Microseconds since 1970, and always more than before, so a restart needs no stored number. If the clock is
  /// wrong, the server names the number from which to go on.
  private static func next(after last: UInt64) -> UInt64 {
    max(last + 1, UInt64(max(0, Date().timeIntervalSince1970) * 1_000_000))
  }

  private static func send(
    _ request: SignedRequest, _ key: borrowing PrivateKey, _ transport: any KeyServerTransport
  ) throws -> Data {
    let der = try key.signature(for: request.signedBytes, scheme: .ecdsaSHA256)
    let signature = try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation
    let (status, body) = try transport.send(
      path: request.path,
      headers: [
        (SignedRequest.deviceHeader, request.device.hexadecimal),
        (SignedRequest.sequenceHeader, "\(request.sequence)"),
        (SignedRequest.signatureHeader, signature.hexadecimal),
      ], body: request.body)
    if status == 200 { return body }
    guard let refusal = try? RefusalBody(decoding: body) else {
      throw AtRestError(
        .keyServerOffline, "The key server answered with status \(status).",
        remedy: "Check the server's address, and try again.")
    }
    // The server says how long to wait, so its clock does not matter.
    let date = refusal.retryAfter == 0 ? nil : Date().addingTimeInterval(Double(refusal.retryAfter))
    let code = AtRestError.Code(rawValue: refusal.code)
    let cause: (any Error)? =
      switch code {
      case .throttled: RetryTime(date: date)
      case .replayed where (1..<SignedRequest.maximumSequence).contains(refusal.sequence):
        LastSequence(number: refusal.sequence)
      default: nil
      }
    throw AtRestError(code, refusal.message, remedy: refusal.remedy, cause: cause)
  }
}
