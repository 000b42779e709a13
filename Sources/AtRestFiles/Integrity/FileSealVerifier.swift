import AtRestCrypto
import Foundation

/// Checks that files are unchanged since ``FileSealer`` stamped them.
///
/// ```swift
/// let verifier = try FileSealVerifier(publicKey: PublicKey(importing: pem))
/// try verifier.check(file, against: seal)          // throws .damaged if anything changed
/// let difference = try verifier.compare(folder, with: manifest)
/// ```
///
/// The stamp's key is checked first, then its code, then the file. A wrong key
/// (``AtRestError/Code/authenticationFailed``) is thus distinguished from a modified stamp and a
/// modified file (``AtRestError/Code/damaged``, with messages that say which).
///
/// Files are read in constant memory. Values can be used from several threads at once. A file may
/// change right after it was checked, so check a copy, or a file that nobody else can write.
public struct FileSealVerifier: Sendable {
  private let key: SealKey

  /// Verifies stamps that were made with the same HMAC key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key has fewer than 16 bytes.
  public init(hmacKey: borrowing SecretBytes) throws { key = try SealKey(hmacKey: hmacKey) }

  /// Verifies stamps that were made with the private half of a key pair.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of its algorithm cannot sign.
  public init(publicKey: PublicKey) throws { key = try SealKey(publicKey: publicKey) }

  /// Checks a file against a stamp that is stored elsewhere.
  ///
  /// - Parameter progress: Counts bytes. Cancelling it ends the work.
  /// - Throws: ``AtRestError/Code/damaged`` if the file or the stamp was modified, or they do not
  ///   belong together; ``AtRestError/Code/authenticationFailed`` if another key made the stamp;
  ///   otherwise the errors of ``FileSealer/seal(_:progress:)``.
  public func check(_ file: URL, against seal: FileSeal, progress: Progress? = nil) throws {
    try check(seal, as: .detached, on: file.path)
    let contents = try ContentFile(file)
    let size = ContentDigest(size: contents.size, digest: seal.contentDigest)
    // Avoids reading the file if its size already differs.
    try size.check(seal, on: file.path)
    let meter = ProgressMeter(progress)
    meter.expect(contents.size)
    try contents.digest(meter: meter).check(seal, on: file.path)
  }

  /// Checks the contents of a pipe or file, up to its end, against a stamp.
  ///
  /// - Throws: The errors of ``check(_:against:progress:)``.
  public func check(
    contentsOf handle: FileHandle, against seal: FileSeal, progress: Progress? = nil
  ) throws {
    let name = "The input"
    try check(seal, as: .detached, on: name)
    try ContentFile.digest(
      of: handle.fileDescriptor, name: name, meter: ProgressMeter(progress)
    ).check(seal, on: name)
  }

  /// Checks a file against the stamp at its end.
  ///
  /// - Returns: The stamp. The first ``FileSeal/contentSize`` bytes of the file are its contents.
  /// - Throws: ``AtRestError/Code/notStamped`` if the file does not end with a stamp; otherwise the errors of
  ///   ``check(_:against:progress:)``.
  @discardableResult
  public func checkAppended(_ file: URL, progress: Progress? = nil) throws -> FileSeal {
    let contents = try ContentFile(file)
    guard let found = try AppendedSeal.find(in: contents) else {
      throw AtRestError(
        .notStamped, "\(file.path) does not end with a stamp.",
        remedy: "If it had one, its end was cut off or modified. Otherwise pass its stamp.")
    }
    let seal = found.seal
    try check(seal, as: .appended, on: file.path)
    // Avoids reading the file if its size already differs.
    try ContentDigest(size: found.contentSize, digest: seal.contentDigest)
      .check(seal, on: file.path)
    let meter = ProgressMeter(progress)
    meter.expect(found.contentSize)
    try contents.digest(first: found.contentSize, meter: meter).check(seal, on: file.path)
    return seal
  }

  /// Checks that a manifest is unchanged, without looking at a folder.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it was modified;
  ///   ``AtRestError/Code/authenticationFailed`` if another key made its stamp.
  public func check(_ manifest: FolderManifest) throws {
    try check(manifest.seal, as: .manifest, on: "the manifest")
    try manifest.content.check(manifest.seal, on: "The manifest")
  }

  /// Checks a folder's manifest, and compares the tree with it.
  ///
  /// Contents are hashed only if the size is the same, on all processors.
  ///
  /// - Parameters:
  ///   - excluded: Files that are left out, as when the manifest was made.
  ///   - progress: Counts bytes. Cancelling it ends the work.
  /// - Returns: Everything that was added, removed or changed. A difference is not an error; see
  ///   ``FolderDifference/isUnchanged``.
  /// - Throws: The errors of ``check(_:)`` and ``FileSealer/manifest(of:leavingOut:progress:)``.
  public func compare(
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

  private func check(_ seal: FileSeal, as form: FileSeal.Form, on name: String) throws {
    guard seal.form == form else {
      throw AtRestError.damaged(
        "The stamp for \(name) is of another kind: \(seal.form), not \(form).",
        remedy: "Pass the stamp that was made for it.")
    }
    try key.check(seal, on: name)
  }
}
