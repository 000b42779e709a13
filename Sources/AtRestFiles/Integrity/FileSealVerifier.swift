import AtRestCrypto
import Foundation

/// Says whether files are still what they were when ``FileSealer`` sealed them.
///
/// ```swift
/// let verifier = try FileSealVerifier(publicKey: PublicKey(importing: pem))
/// try verifier.check(file, against: seal)          // throws .damaged where anything changed
/// let difference = try verifier.compare(folder, with: manifest)
/// ```
///
/// The seal's key is looked at first, then its code, then the file: another key
/// (``AtRestError/Code/authenticationFailed``) is told from a changed seal and a changed file
/// (``AtRestError/Code/damaged``, with messages that name which).
///
/// Reads in constant memory. Values can be used from several threads at once. What was checked may
/// change a moment later: check what you have in hand, or a file that others cannot write to.
public struct FileSealVerifier: Sendable {
  private let key: SealKey

  /// A verifier of seals that were made with the same key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where it has less than 16 bytes.
  public init(hmacKey: borrowing SecretBytes) throws { key = try SealKey(hmacKey: hmacKey) }

  /// A verifier of seals that were made with the private half of a key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where keys of its algorithm do not sign.
  public init(publicKey: PublicKey) throws { key = try SealKey(publicKey: publicKey) }

  /// Checks a file against a seal that was kept elsewhere.
  ///
  /// - Parameter progress: Counts bytes; its cancellation ends the work.
  /// - Throws: ``AtRestError/Code/damaged`` where file or seal were changed, or do not belong together;
  ///   ``AtRestError/Code/authenticationFailed`` where another key made the seal; otherwise as
  ///   ``FileSealer/seal(_:progress:)``.
  public func check(_ file: URL, against seal: FileSeal, progress: Progress? = nil) throws {
    try check(seal, as: .detached, on: file.path)
    let contents = try ContentFile(file)
    let size = ContentDigest(size: contents.size, digest: seal.contentDigest)
    // Spares reading where the size says it.
    try size.check(seal, on: file.path)
    let meter = ProgressMeter(progress)
    meter.expect(contents.size)
    try contents.digest(meter: meter).check(seal, on: file.path)
  }

  /// Checks what a pipe or file gives until its end against a seal.
  ///
  /// - Throws: As ``check(_:against:progress:)``.
  public func check(
    contentsOf handle: FileHandle, against seal: FileSeal, progress: Progress? = nil
  ) throws {
    let name = "The input"
    try check(seal, as: .detached, on: name)
    try ContentFile.digest(
      of: handle.fileDescriptor, name: name, meter: ProgressMeter(progress)
    ).check(seal, on: name)
  }

  /// Checks a file against the seal at its end.
  ///
  /// - Returns: The seal. The first ``FileSeal/contentSize`` bytes of the file are its contents.
  /// - Throws: `notStamped` where it does not end with a seal; otherwise as
  ///   ``check(_:against:progress:)``.
  @discardableResult
  public func checkAppended(_ file: URL, progress: Progress? = nil) throws -> FileSeal {
    let contents = try ContentFile(file)
    guard let found = try AppendedSeal.find(in: contents) else {
      throw AtRestError(
        .notStamped, "\(file.path) does not end with a seal.",
        remedy: "If it was sealed so, its end was cut off or changed. Otherwise name its seal.")
    }
    let seal = found.seal
    try check(seal, as: .appended, on: file.path)
    // Spares reading where the size says it.
    try ContentDigest(size: found.contentSize, digest: seal.contentDigest)
      .check(seal, on: file.path)
    let meter = ProgressMeter(progress)
    meter.expect(found.contentSize)
    try contents.digest(first: found.contentSize, meter: meter).check(seal, on: file.path)
    return seal
  }

  /// Checks that a manifest is what was sealed, without looking at a folder.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where it was changed;
  ///   ``AtRestError/Code/authenticationFailed`` where another key made its seal.
  public func check(_ manifest: FolderManifest) throws {
    try check(manifest.seal, as: .manifest, on: "the manifest")
    try manifest.content.check(manifest.seal, on: "The manifest")
  }

  /// Says how a tree differs from the manifest of it, which is checked first.
  ///
  /// Contents are hashed only where the size is the same, on all processors.
  ///
  /// - Parameters:
  ///   - excluded: Files that are left out, as when the manifest was made.
  ///   - progress: Counts bytes; its cancellation ends the work.
  /// - Returns: Everything that was added, removed or changed. That is no error: see
  ///   ``FolderDifference/isUnchanged``.
  /// - Throws: As ``check(_:)`` and ``FileSealer/manifest(of:leavingOut:progress:)``.
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
        "The seal given for \(name) is one of another kind: \(seal.form), not \(form).",
        remedy: "Give the seal that was made for it.")
    }
    try key.check(seal, on: name)
  }
}
