import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Seals files that stay readable, so that a later change shows.
///
/// ```swift
/// let key = try keychain.getOrCreate(sealKey) { SecretBytes.random(count: 32) }
/// let sealer = try FileSealer(hmacKey: key)
/// let seal = try sealer.seal(file)               // keep seal.encoded beside the file
/// try sealer.appendSeal(to: other)               // or in the file itself
/// let manifest = try sealer.manifest(of: folder) // or one for a whole tree
/// ```
///
/// With a key pair of the keychain whoever has the public key can check, and not seal:
///
/// ```swift
/// let sealer = try FileSealer(publicKey: publicKey) { statement in
///   try keychain.sign(statement, tag: "com.example.release")
/// }
/// ```
///
/// Reads in constant memory, whatever the size. Values can be used from several threads at once.
/// A seal is no secret, and hides nothing. It tells neither name nor age: an older file with its older
/// seal holds. The names in a folder are in its manifest.
///
/// Sign nothing else with the key pair that others chose byte by byte: it could be a seal's statement.
public struct FileSealer: Sendable {
  private let key: SealKey
  private let method: FileSeal.Method
  private let authenticate: @Sendable (Data) throws -> Data

  /// A sealer with HMAC-SHA-256.
  ///
  /// - Parameter hmacKey: 16 bytes or more, random. Keys for this purpose are derived from it.
  /// - Throws: ``AtRestError/Code/invalidArgument`` where it is shorter.
  public init(hmacKey: borrowing SecretBytes) throws {
    let key = try SealKey(hmacKey: hmacKey)
    guard case .hmac(let derived, _) = key else { preconditionFailure() }
    self.key = key
    method = .hmacSHA256
    authenticate = { derived.bytes.authenticationCode(for: $0) }
  }

  /// A sealer with signatures.
  ///
  /// - Parameters:
  ///   - publicKey: The public half of the pair, by which seals name their key.
  ///   - scheme: How `sign` signs; nil for ``KeyAlgorithm/defaultSignatureScheme``.
  ///   - sign: Signs a message of less than 200 bytes with the private half. Called once a seal.
  /// - Throws: ``AtRestError/Code/invalidArgument`` where such keys do not sign, or not so.
  public init(
    publicKey: PublicKey, scheme: SignatureScheme? = nil,
    sign: @escaping @Sendable (Data) throws -> Data
  ) throws {
    key = try SealKey(publicKey: publicKey)
    guard let scheme = scheme ?? publicKey.algorithm.defaultSignatureScheme,
      scheme.isSupported(by: publicKey.algorithm)
    else {
      throw AtRestError.invalid(
        "The scheme \(scheme?.name ?? "none") is not one for keys of algorithm "
          + "\(publicKey.algorithm).", remedy: "Name no scheme, to use the algorithm's own.")
    }
    method = .signature(scheme)
    authenticate = sign
  }

  // MARK: Files

  /// Seals a file, with a seal to be kept elsewhere.
  ///
  /// - Parameter progress: Counts bytes; its cancellation ends the work.
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` where it is not a regular file;
  ///   ``AtRestError/Code/system`` where it cannot be read or changes meanwhile;
  ///   ``AtRestError/Code/canceled``; what `sign` throws.
  public func seal(_ file: URL, progress: Progress? = nil) throws -> FileSeal {
    let contents = try ContentFile(file)
    let meter = ProgressMeter(progress)
    meter.expect(contents.size)
    return try seal(contents.digest(meter: meter), as: .detached)
  }

  /// Seals what a pipe or file gives until its end, as contents of a file.
  ///
  /// - Throws: ``AtRestError/Code/system`` where it cannot be read; ``AtRestError/Code/canceled``;
  ///   what `sign` throws.
  public func seal(contentsOf handle: FileHandle, progress: Progress? = nil) throws -> FileSeal {
    try seal(
      ContentFile.digest(
        of: handle.fileDescriptor, name: "The input", meter: ProgressMeter(progress)),
      as: .detached)
  }

  /// Seals a file, with the seal at its end.
  ///
  /// The file is replaced whole: whoever reads it sees the old one or the new one, also after a power
  /// cut. It keeps its permissions, and its owner where the system allows that, and loses access
  /// control lists and extended attributes; other names of the same file (hard links) keep the old
  /// contents. A seal that it ends with already is replaced, whether or not it is true. For a link,
  /// the file that it leads to is sealed.
  ///
  /// Needs free space for a second copy of the file. Use it for formats that bear bytes after their end.
  ///
  /// - Parameter progress: Counts bytes; its cancellation ends the work and leaves the file as it was.
  /// - Throws: As ``seal(_:progress:)``; ``AtRestError/Code/damaged`` where the file ends as a sealed
  ///   one does and has no readable seal.
  @discardableResult
  public func appendSeal(to file: URL, progress: Progress? = nil) throws -> FileSeal {
    let entry = try FolderEntry(following: file.path)
    let contents = try ContentFile(entry.name, in: entry.folder, path: entry.path)
    let size = try AppendedSeal.find(in: contents)?.contentSize ?? contents.size
    let meter = ProgressMeter(progress)
    meter.expect(size)
    let replacement = try NewFile(at: entry, existing: .replaced)
    let content = try contents.digest(first: size, meter: meter) { try replacement.write($0) }
    let seal = try seal(content, as: .appended)
    try replacement.write(AppendedSeal.trailer(seal))
    // A change of the last moment would be lost with the old file.
    guard contents.isInPlace(entry) else { throw contents.changedMeanwhile() }
    try replacement.commit()
    return seal
  }

  // MARK: Folders

  /// Lists a whole tree with the digests of its files, and seals the list.
  ///
  /// Recorded are names, kinds, permissions (with set-user-id and its like), sizes, contents, and where
  /// links lead; not owners, times and extended attributes, and not the folder's own name and
  /// permissions. Links are not followed. Of pipes, sockets and devices that lie there is recorded
  /// that they do. Files are hashed on all processors.
  ///
  /// - Parameters:
  ///   - excluded: Files that are left out, such as the one that the manifest goes to. A folder cannot
  ///     be left out.
  ///   - progress: Counts bytes; its cancellation ends the work.
  /// - Throws: As ``seal(_:progress:)``; ``AtRestError/Code/invalidArgument`` where it is not a folder,
  ///   a path in it has more than 4,096 bytes, or there are more than 16,777,216 entries.
  public func manifest(
    of folder: URL, leavingOut excluded: [URL] = [], progress: Progress? = nil
  ) throws -> FolderManifest {
    let walk = FolderWalk(folder)
    let meter = ProgressMeter(progress)
    var entries = try walk.entries(leavingOut: excluded, meter: meter)
    try walk.hash(&entries, at: entries.indices.filter { entries[$0].kind == .file }, meter: meter)
    return try FolderManifest(sealing: entries) { try seal($0, as: .manifest) }
  }

  private func seal(_ content: ContentDigest, as form: FileSeal.Form) throws -> FileSeal {
    let seal = try FileSeal(
      form: form, method: method, keyFingerprint: key.fingerprint, content: content,
      code: authenticate)
    // A private key that is not the public key's would make seals that nobody can check.
    do { try key.check(seal, on: "it") } catch {
      throw AtRestError.invalid(
        "The signature is not one of the public key.",
        remedy: "Give the public half of the key that signs, and the scheme that it signs with.")
    }
    return seal
  }
}
