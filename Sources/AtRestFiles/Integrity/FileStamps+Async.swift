import AtRestCrypto
import Foundation

/// The asynchronous forms of the calls that read files, under the same names. They run off the
/// caller's actor. If the task is cancelled, they throw `CancellationError` and leave nothing
/// behind.
extension FileStamper {
  /// Makes a stamp for a file, off the caller's actor.
  public func stamp(_ file: URL, progress: Progress? = nil) async throws -> FileStamp {
    try await cancellable(progress) { try self.stamp(file, progress: $0) }
  }

  /// Makes a stamp for the contents of a pipe or file, off the caller's actor.
  public func stamp(
    contentsOf handle: FileHandle, progress: Progress? = nil
  ) async throws -> FileStamp {
    try await cancellable(progress) { try self.stamp(contentsOf: handle, progress: $0) }
  }

  /// Stamps a file by appending the stamp to it, off the caller's actor.
  @discardableResult
  public func appendStamp(to file: URL, progress: Progress? = nil) async throws -> FileStamp {
    try await cancellable(progress) { try self.appendStamp(to: file, progress: $0) }
  }

  /// Lists everything in a folder and its subfolders, and stamps the list, off the caller's actor.
  package func manifest(
    of folder: URL, leavingOut excluded: [URL] = [], progress: Progress? = nil
  ) async throws -> FolderManifest {
    try await cancellable(progress) {
      try self.manifest(of: folder, leavingOut: excluded, progress: $0)
    }
  }
}

extension FileStampVerifier {
  /// Checks a file against a stamp that is stored outside the file, off the caller's actor.
  public func check(
    _ file: URL, against stamp: FileStamp, progress: Progress? = nil
  ) async throws {
    try await cancellable(progress) { try self.check(file, against: stamp, progress: $0) }
  }

  /// Checks the contents of a pipe or file against a stamp, off the caller's actor.
  public func check(
    contentsOf handle: FileHandle, against stamp: FileStamp, progress: Progress? = nil
  ) async throws {
    try await cancellable(progress) {
      try self.check(contentsOf: handle, against: stamp, progress: $0)
    }
  }

  /// Checks a file against the stamp at its end, off the caller's actor.
  @discardableResult
  public func checkAppended(_ file: URL, progress: Progress? = nil) async throws -> FileStamp {
    try await cancellable(progress) { try self.checkAppended(file, progress: $0) }
  }

  /// Checks a folder's manifest and compares the tree with it, off the caller's actor.
  package func compare(
    _ folder: URL, with manifest: FolderManifest, leavingOut excluded: [URL] = [],
    progress: Progress? = nil
  ) async throws -> FolderDifference {
    try await cancellable(progress) {
      try self.compare(folder, with: manifest, leavingOut: excluded, progress: $0)
    }
  }
}
