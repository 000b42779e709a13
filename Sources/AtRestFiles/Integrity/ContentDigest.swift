import AtRestCrypto
import Foundation

/// The size and SHA-256 of contents.
struct ContentDigest: Hashable, Sendable {
  static let count = 32

  let size: UInt64
  let digest: Data

  /// Refuses contents that are not those of a seal, which must be known to be true.
  func check(_ seal: FileSeal, on name: String) throws {
    guard size == seal.contentSize else {
      throw Self.changed(name, "it has \(size) bytes, and had \(seal.contentSize)")
    }
    let isSame = digest.withUnsafeBytes { mine in
      seal.contentDigest.withUnsafeBytes { constantTimeEqual(mine, $0) }
    }
    guard isSame else { throw Self.changed(name, "its contents are others") }
  }

  static func changed(_ name: String, _ how: String) -> AtRestError {
    .damaged(
      "\(name) is not what was sealed: \(how).",
      remedy: "Get it again from where it comes from, or seal it anew if the change was meant.")
  }
}
