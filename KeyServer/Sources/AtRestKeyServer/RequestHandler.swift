@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation

/// Answers the requests of the protocol. It blocks, so it runs on threads of its own.
struct RequestHandler: Sendable {
  let store: KeyServerStore
  let names: NameLimits

  /// A request as it came from the network.
  struct Input: Sendable {
    var path: String
    var body: Data
    var source: RequestSource
    var device: String?
    var sequence: String?
    var signature: String?
  }

  static let paths: Set<String> = [
    "/v1/enrol", "/v1/evaluate", "/v1/prove", "/v1/register", "/v1/successor", "/v1/move",
    "/v1/keys/get", "/v1/keys/rotate", "/v1/keys/minimum",
  ]

  /// Returns the body of the answer.
  func answer(_ input: Input) throws -> Data {
    switch input.path {
    case "/v1/enrol":
      let enrolment = try Enrolment(decoding: input.body)
      let signature = try required(input, realm: SignedRequest.unknown)
      let isSigned =
        signature.request.device == SignedRequest.unknown
        && signature.request.isValid(signature.signature, publicKey: enrolment.publicKey)
      return try store.enrol(
        enrolment, sequence: signature.request.sequence, isSigned: isSigned
      ).encoded
    case "/v1/evaluate":
      let evaluation = try Evaluation(decoding: input.body)
      let signature = try signature(input)
      let device = signature.map { NameLimits.Source.device($0.request.device.hexadecimal) }
      guard
        device.map({ !names.isUsedUp(by: $0) })
          ?? names.allows(evaluation.account, from: input.source.networks.map { .network($0) })
      else { throw Self.tooManyNames }
      // The count is durable when this returns, and only then the element is evaluated.
      let attempt = try store.count(evaluation, signature)
      // The signature is known to be valid now. Otherwise made-up devices would use up the memory.
      if let device, !attempt.isOwn { _ = names.allows(evaluation.account, from: [device]) }
      return try attempt.evaluate(evaluation.element).encoded
    case "/v1/prove":
      return try store.prove(Proof(decoding: input.body), signature(input)).encoded
    case "/v1/register":
      try store.register(Registration(decoding: input.body), required(input))
      return Empty().encoded
    case "/v1/successor":
      _ = try Empty(decoding: input.body)
      return try store.successor(required(input)).encoded
    case "/v1/move":
      try store.move(Move(decoding: input.body), required(input))
      return Empty().encoded
    case "/v1/keys/get":
      return try store.key(KeyRequest(decoding: input.body), required(input)).encoded
    case "/v1/keys/rotate":
      return try store.rotateKey(KeyRequest(decoding: input.body), required(input)).encoded
    case "/v1/keys/minimum":
      return try store.raiseMinimum(KeyRequest(decoding: input.body), required(input)).encoded
    default:
      throw AtRestError(
        .notFound, "The key server has no such path.", remedy: "See the protocol.")
    }
  }

  /// Returns the signature of a request, or nil if it has none.
  ///
  /// - Throws: ``AtRestError/Code/notEnrolled`` if only a part of it is there or well-formed.
  private func signature(_ input: Input, realm: Data? = nil) throws -> RequestSignature? {
    if input.device == nil, input.sequence == nil, input.signature == nil { return nil }
    guard let device = input.device.flatMap({ Data(hexadecimal: $0) }),
      device.count == Limits.identifier, let sequence = input.sequence.flatMap({ UInt64($0) }),
      let signature = input.signature.flatMap({ Data(hexadecimal: $0) }), signature.count == 64
    else { throw Self.unsigned }
    return RequestSignature(
      request: SignedRequest(
        realm: realm ?? store.realm, device: device, sequence: sequence, path: input.path,
        body: input.body), signature: signature)
  }

  private func required(_ input: Input, realm: Data? = nil) throws -> RequestSignature {
    guard let signature = try signature(input, realm: realm) else { throw Self.unsigned }
    return signature
  }

  private static let unsigned = AtRestError(
    .notEnrolled, "The request must be signed by an enrolled device.",
    remedy: "Enrol the device with a code from the operator.")

  private static var tooManyNames: AtRestError {
    AtRestError(
      .throttled, "This address or device named too many accounts that are not its own.",
      remedy: "Enrol the device for its account, or wait an hour.",
      cause: RetryTime(date: Date().addingTimeInterval(3600)))
  }

  /// Returns the status and the body with which an error is answered. Errors that only concern the
  /// operator are not described to the client.
  static func refusal(_ error: any Error) -> (status: Int, body: RefusalBody) {
    let error =
      error as? AtRestError
      ?? AtRestError(.system, "The key server failed.", remedy: "Ask the operator.")
    let status =
      switch error.code {
      case .damaged where error.remedy == AtRestError.otherVersion, .invalidArgument: 400
      case .notEnrolled: 401
      case .revoked, .authenticationFailed, .notPermitted: 403
      case .notFound: 404
      case .replayed, .moved: 409
      case .keyDestroyed: 410
      case .throttled: 429
      case .keyServerOffline, .busy, .rolledBack: 503
      default: 500
      }
    if status >= 500 {
      return (
        status,
        RefusalBody(
          code: AtRestError.Code.keyServerOffline.rawValue,
          message: "The key server cannot answer now.", remedy: "Try again later.")
      )
    }
    let date = (error.cause as? RetryTime)?.date
    return (
      status,
      RefusalBody(
        code: error.code.rawValue, message: error.message, remedy: error.remedy,
        retryAfter: date.map { UInt64(max(1, $0.timeIntervalSinceNow.rounded(.up))) } ?? 0,
        sequence: (error.cause as? LastSequence)?.number ?? 0)
    )
  }
}
