import Foundation

/// A message's body with a fixed layout. `docs/KeyServer.md`, *Protocol*, specifies each.
package protocol Message: Sendable {
  init(decoding body: Data) throws
  var encoded: Data { get }
}

/// A body without bytes.
package struct Empty: Message {
  package init() {}
  package init(decoding body: Data) throws {
    try MessageReader.read(body, name: "An empty body") { _ in }
  }
  package var encoded: Data { Data() }
}
