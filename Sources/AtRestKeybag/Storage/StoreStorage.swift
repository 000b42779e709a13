import AtRestCrypto
import Foundation

/// The storage of a store's small files: a folder, or memory in tests.
///
/// Every method is safe to call from several threads, and ``exclusively(_:)`` from several processes.
package protocol StoreStorage: Sendable {
  /// The location, as messages show it.
  var location: String { get }
  /// Returns the bytes of a file, or nil if it does not exist.
  func read(_ name: String) throws -> Data?
  /// Returns true if there is a file of this name.
  ///
  /// - Throws: An error if it cannot be determined whether the file exists.
  func contains(_ name: String) throws -> Bool
  /// Replaces a whole file. The change is durable when the call returns.
  func replace(_ name: String, with data: Data) throws
  /// Replaces a whole file and overwrites its former bytes. The change is durable when the call
  /// returns. Call this method from only one thread or process at a time.
  ///
  /// After an error, the file has either its former or its new contents, and the former bytes have
  /// not been overwritten. Call ``finishErasing(_:)`` to overwrite former bytes that this call
  /// could not overwrite.
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
  /// Runs a closure while holding the lock of the storage, which excludes all other threads and
  /// processes.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if the lock is held elsewhere for too long; the error of
  ///   `body`.
  func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result
  /// Does the same for a store that exists: a folder that is gone is not created.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the folder is gone; otherwise the errors of
  ///   ``exclusively(_:)``.
  func exclusivelyInPlace<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result
  /// Returns the sight of a file.
  func sight(of name: String) -> FileSight
}
