import AtRestKeyServerClient
import AtRestKeyServerStore
import Foundation

@testable import AtRestKeyServer

/// A transport to the routes of a server in this process, without a network.
struct DirectTransport: KeyServerTransport {
  private let handler: RequestHandler

  init(_ store: KeyServerStore) {
    handler = RequestHandler(store: store, names: NameLimits(maximum: 1000))
  }

  func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
    func header(_ name: String) -> String? { headers.first { $0.0 == name }?.1 }
    do {
      let answer = try handler.answer(
        .init(
          path: path, body: body, source: RequestSource(nil), device: header("atrest-device"),
          sequence: header("atrest-sequence"), signature: header("atrest-signature")))
      return (200, answer)
    } catch {
      let (status, body) = RequestHandler.refusal(error)
      return (status, body.encoded)
    }
  }
}
