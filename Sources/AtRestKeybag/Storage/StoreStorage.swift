import AtRestCrypto
import Foundation

/// Where the small files of a store are: in a folder, or in memory for tests.
///
/// Every method is safe to call from several threads, and ``exclusively(_:)`` from several processes.
package protocol StoreStorage: Sendable {
  /// Where this is, for messages.
  var location: String { get }
  /// The bytes of a file, or nil if there is none.
  func read(_ name: String) throws -> Data?
  /// Returns true if there is a file of this name.
  ///
  /// - Throws: Where that cannot be told, which is not an absence.
  func contains(_ name: String) throws -> Bool
  /// Replaces a file whole; durable when it returns.
  func replace(_ name: String, with data: Data) throws
  /// Replaces a file whole, and overwrites the bytes that it had; durable when it returns. Only one
  /// thread or process may do so at a time.
  ///
  /// After an error either file may be in place, and the former one has not been overwritten. What
  /// could not be overwritten is left to ``finishErasing(_:)``.
  func replaceErasing(_ name: String, with data: Data) throws
  /// Returns true if a replacement ended early and left bytes that should have been overwritten.
  func needsErasing(_ name: String) throws -> Bool
  /// Overwrites what a replacement left that ended early.
  func finishErasing(_ name: String) throws
  /// Overwrites a file, flushes it, and removes it.
  func destroy(_ name: String) throws
  /// Removes a file without overwriting it; durable when it returns.
  func remove(_ name: String) throws
  /// Gives a file another name that is not taken.
  func rename(_ name: String, to other: String) throws
  /// Runs a piece of work while no other thread or process does.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if another does for too long.
  func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result
}
