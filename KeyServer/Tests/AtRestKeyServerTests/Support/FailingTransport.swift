import AtRestCrypto
import AtRestKeyServerClient
import Foundation
import Synchronization

/// A transport that records the paths of requests, and fails from one request on, before the request or before its
/// answer.
final class FailingTransport: KeyServerTransport {
  private let base: any KeyServerTransport
  private let paths = Mutex<[String]>([])
  private let limit: Int
  private let losesAnswer: Bool

  /// - Parameter limit: The requests that are answered.
  init(_ base: any KeyServerTransport, after limit: Int = .max, losesAnswer: Bool = false) {
    self.base = base
    self.limit = limit
    self.losesAnswer = losesAnswer
  }

  /// The paths of the requests so far.
  var sent: [String] { paths.withLock { $0 } }

  func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
    let former = paths.withLock {
      $0.append(path)
      return $0.count - 1
    }
    if former == limit, losesAnswer {
      _ = try base.send(path: path, headers: headers, body: body)
    }
    guard former < limit else {
      throw AtRestError(
        .keyServerOffline, "The connection was lost.", remedy: "Try again.")
    }
    return try base.send(path: path, headers: headers, body: body)
  }
}
