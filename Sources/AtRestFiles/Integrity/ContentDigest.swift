import AtRestCrypto
import Foundation

/// The size and SHA-256 of contents.
struct ContentDigest: Hashable, Sendable {
  static let count = 32

  let size: UInt64
  let digest: Data

  /// Throws `damaged` if these are not the stamped contents. Verify the stamp itself first.
  func check(_ stamp: FileStamp, on name: String) throws {
    guard size == stamp.contentSize else {
      throw Self.changed(name, "it has \(size) bytes instead of \(stamp.contentSize)")
    }
    let isSame = digest.withUnsafeBytes { mine in
      stamp.contentDigest.withUnsafeBytes { constantTimeEqual(mine, $0) }
    }
    guard isSame else { throw Self.changed(name, "its contents differ") }
  }

  static func changed(_ name: String, _ how: String) -> AtRestError {
    .damaged(
      "\(name) was changed after it was stamped: \(how).",
      remedy: "Get it from its source again, or stamp it again if the change was intended.")
  }
}
