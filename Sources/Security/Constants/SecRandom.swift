// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import Foundation

/// A source of random bytes. The only source is ``kSecRandomDefault``.
public final class SecRandomRef: NSObject, Sendable {
  private override init() {}
}

/// The system's random number generator. Its value is nil.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes.
///
/// - Parameters:
///   - rnd: Ignored.
///   - count: The number of bytes.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count.
@discardableResult
public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  RandomBytes.fill(UnsafeMutableRawBufferPointer(start: bytes, count: count))
  return errSecSuccess
}
