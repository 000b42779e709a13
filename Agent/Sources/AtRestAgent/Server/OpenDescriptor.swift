import CAtRestPeer
import Foundation

/// A descriptor that is closed when its last owner releases it.
final class OpenDescriptor: Sendable {
  let number: Int32

  /// Opens a folder, only to follow paths from it. Returns nil if it cannot be opened.
  init?(place path: String) {
    let own = atrest_open_place(path)
    guard own >= 0 else { return nil }
    number = own
  }

  /// Takes over a descriptor.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
