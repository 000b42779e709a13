import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

extension KeyServer {
  /// An answer and the code that is logged for it: `ok`, or the code of the error.
  private struct Outcome {
    let response: Response
    let code: String
  }

  func respond(_ request: Request, _ context: Context) async -> Response {
    let start = ContinuousClock.now
    let path = request.uri.path
    let outcome: Outcome
    switch (request.method, path) {
    case _ where !limits.allows(context.source): outcome = Self.refusal(Self.tooFast)
    case (.get, "/health"): outcome = await health()
    case (.get, "/metrics"): outcome = Outcome(response: Self.text(.ok, metrics.text), code: "ok")
    case (.post, _) where RequestHandler.paths.contains(path):
      outcome = await answer(request, path, context.source)
    default:
      outcome = Outcome(response: Self.text(.notFound, "No such path.\n"), code: "no-such-path")
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    // A path that the client made up is not logged, because it could hold anything.
    let known = RequestHandler.paths.union(["/health", "/metrics"])
    let name = known.contains(path) ? path : "other"
    let status = Int(outcome.response.status.code)
    metrics.record(
      path: RequestHandler.paths.contains(path) ? path : "other", status: status,
      seconds: elapsed)
    logger.info(
      "request",
      metadata: [
        "path": "\(name)", "status": .stringConvertible(status), "code": "\(outcome.code)",
        "milliseconds": .stringConvertible((elapsed * 100_000).rounded() / 100),
        "source": "\(context.source.address)",
      ])
    return outcome.response
  }

  private func health() async -> Outcome {
    guard isDatabaseCurrent else {
      return Outcome(
        response: Self.text(.serviceUnavailable, "\(Self.outdated.message)\n"),
        code: Self.outdated.code.rawValue)
    }
    do {
      // A thread of its own, so that requests do not make a server look dead.
      try await healthThread.runIfActive { try handler.store.checkHealth() }
      return Outcome(response: Self.text(.ok, "ok\n"), code: "ok")
    } catch {
      return Outcome(
        response: Self.text(
          .serviceUnavailable, "The database cannot be reached, or cannot be written.\n"),
        code: AtRestError.Code.keyServerOffline.rawValue)
    }
  }

  private func answer(_ request: Request, _ path: String, _ source: RequestSource) async -> Outcome
  {
    do {
      let body: ByteBuffer
      do {
        body = try await request.body.collect(upTo: Limits.body)
      } catch {
        throw AtRestError(damaged: "The body is too long, or was cut off.")
      }
      func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
      }
      let input = RequestHandler.Input(
        path: path, body: Data(body.readableBytesView), source: source,
        device: header(SignedRequest.deviceHeader),
        sequence: header(SignedRequest.sequenceHeader),
        signature: header(SignedRequest.signatureHeader))
      let data = try await onThread {
        guard isDatabaseCurrent else { throw Self.outdated }
        return try handler.answer(input)
      }
      return Outcome(response: Self.binary(.ok, data), code: "ok")
    } catch {
      let outcome = Self.refusal(error)
      // A database that does not agree with its record is in the log already.
      if outcome.response.status.code >= 500, isDatabaseCurrent {
        logger.error("request failed", metadata: ["error": "\(error)"])
      }
      return outcome
    }
  }

  private static func refusal(_ error: any Error) -> Outcome {
    let (status, body) = RequestHandler.refusal(error)
    return Outcome(
      response: binary(.init(code: status), body.encoded),
      code: ((error as? AtRestError)?.code ?? .system).rawValue)
  }

  private static var tooFast: AtRestError {
    AtRestError(
      .throttled, "This address sent too many requests.", remedy: "Wait a second.",
      cause: RetryTime(date: Date().addingTimeInterval(1)))
  }

  private static let outdated = AtRestError(
    .rolledBack, "The database does not agree with its record.",
    remedy: "See the log of the server.")

  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await threads.runIfActive { try body() }
  }

  private static func binary(_ status: HTTPResponse.Status, _ data: Data) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/octet-stream", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }

  private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
