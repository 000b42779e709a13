import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import Foundation
import Synchronization

/// A transport that a test takes off the network.
final class TestTransport: KeyServerTransport {
  private let base: any KeyServerTransport
  private let offline = Mutex(false)

  init(_ base: any KeyServerTransport) { self.base = base }

  var isOffline: Bool {
    get { offline.withLock { $0 } }
    set { offline.withLock { $0 = newValue } }
  }

  func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
    guard !isOffline else {
      throw AtRestError(
        .keyServerOffline, "The key server cannot be reached.", remedy: "Check the network.")
    }
    return try base.send(path: path, headers: headers, body: body)
  }
}
