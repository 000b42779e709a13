import AtRestCrypto
import Foundation

/// The storage of a store's small files: a folder, or memory in tests.
///
/// Every method is safe to call from several threads, and ``exclusively(_:)`` from several processes.
package protocol StoreStorage: Sendable {
  /// The location in the form that messages use.
  var location: String { get }
  /// Returns the bytes of a file, or nil if it does not exist.
  func read(_ name: String) throws -> Data?
  /// Returns true if there is a file of this name.
  ///
  /// - Throws: An error if the answer is unknown, which does not mean that the file is absent.
  func contains(_ name: String) throws -> Bool
  /// Replaces a whole file. The change is durable when the call returns.
  func replace(_ name: String, with data: Data) throws
  /// Replaces a whole file and overwrites its former bytes. The change is durable when the call
  /// returns. Only one thread or process may do so at a time.
  ///
  /// After an error either file may be in place, and the former one has not been overwritten. Bytes
  /// that could not be overwritten are left to ``finishErasing(_:)``.
  func replaceErasing(_ name: String, with data: Data) throws
  /// Returns true if a replacement was interrupted and left bytes that should have been
  /// overwritten.
  func needsErasing(_ name: String) throws -> Bool
  /// Overwrites the bytes that an interrupted replacement left.
  func finishErasing(_ name: String) throws
  /// Overwrites a file, flushes it, and removes it.
  func destroy(_ name: String) throws
  /// Removes a file without overwriting it. The change is durable when the call returns.
  func remove(_ name: String) throws
  /// Renames a file. The new name must not be taken.
  func rename(_ name: String, to other: String) throws
  /// Runs a closure while no other thread or process does so.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if another one does for too long.
  func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result
}
