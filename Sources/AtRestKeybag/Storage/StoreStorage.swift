import AtRestCrypto
import Foundation

/// Where the small files of a store lie: a folder, or memory for tests.
///
/// Every method is safe to call from several threads, and ``exclusively(_:)`` from several processes.
package protocol StoreStorage: Sendable {
  /// Where this is, for messages.
  var location: String { get }
  /// The bytes of a file, or nil where there is none.
  func read(_ name: String) throws -> Data?
  /// Replaces a file whole; durable when it returns.
  func replace(_ name: String, with data: Data) throws
  /// Overwrites a file in place, flushes it, and removes it.
  func destroy(_ name: String) throws
  /// Runs while no other thread or process does.
  func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result
}
