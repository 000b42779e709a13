import AtRestCrypto
import Foundation

/// Checks that files are unchanged since ``FileStamper`` stamped them.
///
/// ```swift
/// let verifier = try FileStampVerifier(publicKey: PublicKey(importing: pem))
/// try verifier.check(file, against: stamp)          // throws .damaged if anything changed
/// let difference = try verifier.compare(folder, with: manifest)
/// ```
///
/// The identity of the stamp's key is checked first, then the HMAC or signature, then the file. A
/// wrong key therefore throws ``AtRestError/Code/authenticationFailed``. A modified stamp or file
/// throws ``AtRestError/Code/damaged``, with a message that says which of the two was modified.
///
/// Files are read in constant memory. Values can be used from several threads at once. A file may
/// change right after it was checked, so check a copy, or a file that nobody else can write.
public struct FileStampVerifier: Sendable {
  private let key: StampKey

  /// Creates a verifier of stamps that were made with the same HMAC key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key has fewer than 16 bytes.
  public init(hmacKey: borrowing SecretBytes) throws { key = try StampKey(hmacKey: hmacKey) }

  /// Creates a verifier of stamps that were made with the private key of `publicKey`.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of this algorithm cannot sign.
  public init(publicKey: PublicKey) throws { key = try StampKey(publicKey: publicKey) }

  /// Checks a file against a stamp that is stored outside the file.
  ///
  /// - Parameter progress: Counts bytes, and can cancel the work.
  /// - Throws: ``AtRestError/Code/damaged`` if the file or the stamp was modified, or they do not
  ///   belong together; ``AtRestError/Code/authenticationFailed`` if another key made the stamp;
  ///   otherwise the errors of `FileStamper.stamp(_:progress:)`.
  public func check(_ file: URL, against stamp: FileStamp, progress: Progress? = nil) throws {
    try check(stamp, as: .detached, on: file.path)
    let contents = try ContentFile(file)
    let size = ContentDigest(size: contents.size, digest: stamp.contentDigest)
    // Avoids reading the file if its size already differs.
    try size.check(stamp, on: file.path)
    let meter = ProgressMeter(progress)
    meter.expect(contents.size)
    try contents.digest(meter: meter).check(stamp, on: file.path)
  }

  /// Checks the contents of a pipe or file, up to its end, against a stamp.
  ///
  /// - Throws: The errors of `check(_:against:progress:)`.
  public func check(
    contentsOf handle: FileHandle, against stamp: FileStamp, progress: Progress? = nil
  ) throws {
    let name = "The input"
    try check(stamp, as: .detached, on: name)
    try ContentFile.digest(
      of: handle.fileDescriptor, name: name, meter: ProgressMeter(progress)
    ).check(stamp, on: name)
  }

  /// Checks a file against the stamp at its end.
  ///
  /// - Returns: The stamp. The first `FileStamp.contentSize` bytes of the file are the stamped
  ///   contents.
  /// - Throws: ``AtRestError/Code/notStamped`` if the file does not end with a stamp; otherwise the
  ///   errors of `check(_:against:progress:)`.
  @discardableResult
  public func checkAppended(_ file: URL, progress: Progress? = nil) throws -> FileStamp {
    let contents = try ContentFile(file)
    guard let found = try AppendedStamp.find(in: contents) else {
      throw AtRestError(
        .notStamped, "\(file.path) does not end with a stamp.",
        remedy: "If it had one, its end was cut off or modified. Otherwise pass its stamp.")
    }
    let stamp = found.stamp
    try check(stamp, as: .appended, on: file.path)
    // Avoids reading the file if its size already differs.
    try ContentDigest(size: found.contentSize, digest: stamp.contentDigest)
      .check(stamp, on: file.path)
    let meter = ProgressMeter(progress)
    meter.expect(found.contentSize)
    try contents.digest(first: found.contentSize, meter: meter).check(stamp, on: file.path)
    return stamp
  }

  /// Checks that a manifest is unchanged, without reading the folder.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the manifest was modified;
  ///   ``AtRestError/Code/authenticationFailed`` if another key made its stamp.
  package func check(_ manifest: FolderManifest) throws {
    try check(manifest.stamp, as: .manifest, on: "the manifest")
    try manifest.content.check(manifest.stamp, on: "The manifest")
  }

  /// Checks a folder's manifest, and compares the tree with it.
  ///
  /// Only files whose size is unchanged are hashed, on all processors.
  ///
  /// - Parameters:
  ///   - excluded: Files to leave out: the same ones as when the manifest was made.
  ///   - progress: Counts bytes, and can cancel the work.
  /// - Returns: Everything that was added, removed or changed. A difference is not an error; see
  ///   `FolderDifference.isUnchanged`.
  /// - Throws: The errors of ``check(_:)`` and `FileStamper.manifest(of:leavingOut:progress:)`.
  package func compare(
    _ folder: URL, with manifest: FolderManifest, leavingOut excluded: [URL] = [],
    progress: Progress? = nil
  ) throws -> FolderDifference {
    try check(manifest)
    let walk = FolderWalk(folder)
    let meter = ProgressMeter(progress)
    var entries = try walk.entries(leavingOut: excluded, meter: meter)
    let pairs = FolderDifference.pairs(manifest.entries, entries)
    let alike = pairs.compactMap { pair -> Int? in
      guard let old = pair.old, let new = pair.new else { return nil }
      let before = manifest.entries[old]
      let after = entries[new]
      guard before.kind == .file, after.kind == .file, before.size == after.size else {
        return nil
      }
      return new
    }
    try walk.hash(&entries, at: alike, meter: meter)
    return FolderDifference(manifest.entries, entries, pairs)
  }

  private func check(_ stamp: FileStamp, as form: FileStamp.Form, on name: String) throws {
    guard stamp.form == form else {
      throw AtRestError.damaged(
        "The stamp for \(name) is of another kind: \(stamp.form), not \(form).",
        remedy: "Pass the stamp that was made for it.")
    }
    try key.check(stamp, on: name)
  }
}
