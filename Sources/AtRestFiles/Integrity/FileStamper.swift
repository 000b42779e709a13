import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Stamps files that stay readable, so later changes are detected.
///
/// ```swift
/// let key = try keychain.getOrCreate(stampKey) { SecretBytes.random(count: 32) }
/// let stamper = try FileStamper(hmacKey: key)
/// let stamp = try stamper.stamp(file)               // keep stamp.encoded beside the file
/// try stamper.appendStamp(to: other)               // or in the file itself
/// let manifest = try stamper.manifest(of: folder) // or one for a whole tree
/// ```
///
/// With a key pair of the keychain, anyone who has the public key can check stamps, but not make
/// them:
///
/// ```swift
/// let stamper = try FileStamper(publicKey: publicKey) { statement in
///   try keychain.sign(statement, tag: "com.example.release")
/// }
/// ```
///
/// Files are read in constant memory, whatever their size. Values can be used from several threads
/// at once. A stamp is not secret, and hides nothing. It contains neither the name nor the age of a
/// file: an older file with its older stamp is still valid. A manifest contains the names in a
/// folder.
///
/// Do not use the key pair to sign other data that someone else can choose: they could choose the
/// bytes that a stamp signs.
public struct FileStamper: Sendable {
  private let key: StampKey
  private let method: FileStamp.Method
  private let authenticate: @Sendable (Data) throws -> Data

  /// Creates a stamper that uses HMAC-SHA-256.
  ///
  /// - Parameter hmacKey: 16 random bytes or more. The keys for stamps are derived from it.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is shorter.
  public init(hmacKey: borrowing SecretBytes) throws {
    let key = try StampKey(hmacKey: hmacKey)
    guard case .hmac(let derived, _) = key else { preconditionFailure() }
    self.key = key
    method = .hmacSHA256
    authenticate = { derived.bytes.authenticationCode(for: $0) }
  }

  /// Creates a stamper that signs with a key pair.
  ///
  /// - Parameters:
  ///   - publicKey: The public key of the pair, whose fingerprint is stored in each stamp.
  ///   - scheme: The signature scheme that `sign` uses, or nil for
  ///     ``KeyAlgorithm/defaultSignatureScheme``.
  ///   - sign: A closure that signs a message of less than 200 bytes with the private key. The
  ///     closure is called once per stamp.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of this algorithm cannot sign, or do
  ///   not support the scheme.
  public init(
    publicKey: PublicKey, scheme: SignatureScheme? = nil,
    sign: @escaping @Sendable (Data) throws -> Data
  ) throws {
    key = try StampKey(publicKey: publicKey)
    guard let scheme = scheme ?? publicKey.algorithm.defaultSignatureScheme,
      scheme.isSupported(by: publicKey.algorithm)
    else {
      throw AtRestError.invalid(
        "The scheme \(scheme?.name ?? "none") does not fit keys of algorithm "
          + "\(publicKey.algorithm).", remedy: "Omit the scheme to use the algorithm's default.")
    }
    method = .signature(scheme)
    authenticate = sign
  }

  // MARK: Files

  /// Makes a stamp for a file, without changing the file. The caller stores the stamp.
  ///
  /// - Parameter progress: Counts bytes, and can cancel the work.
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` if it is not a regular file, or if `sign` does not use
  ///   the private key of the public key; ``AtRestError/Code/system`` if the file cannot be read or
  ///   changes meanwhile; ``AtRestError/Code/canceled``; the error of `sign`.
  public func stamp(_ file: URL, progress: Progress? = nil) throws -> FileStamp {
    let contents = try ContentFile(file)
    let meter = ProgressMeter(progress)
    meter.expect(contents.size)
    return try stamp(contents.digest(meter: meter), as: .detached)
  }

  /// Makes a stamp for the contents of a pipe or file, up to its end.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if `sign` does not use the private key of the
  ///   public key; ``AtRestError/Code/system`` if the input cannot be read;
  ///   ``AtRestError/Code/canceled``; the error of `sign`.
  public func stamp(contentsOf handle: FileHandle, progress: Progress? = nil) throws -> FileStamp {
    try stamp(
      ContentFile.digest(
        of: handle.fileDescriptor, name: "The input", meter: ProgressMeter(progress)),
      as: .detached)
  }

  /// Stamps a file by appending the stamp to it.
  ///
  /// The file is replaced as a whole: readers see the old one or the new one, even after a power
  /// failure. The new file keeps the permissions, and the owner if the system allows it, but loses
  /// access control lists and extended attributes. Other hard links keep the old contents. A stamp
  /// that the file already ends with is replaced, whether or not it is valid. If the path is a
  /// link, its target is stamped.
  ///
  /// The call needs free space for a second copy of the file. Use it for formats that tolerate
  /// trailing bytes.
  ///
  /// - Parameter progress: Counts bytes, and can cancel the work, which leaves the file unchanged.
  /// - Throws: The errors of `stamp(_:progress:)`; ``AtRestError/Code/damaged`` if the file ends
  ///   like a stamped one but has no readable stamp.
  @discardableResult
  public func appendStamp(to file: URL, progress: Progress? = nil) throws -> FileStamp {
    let entry = try FolderEntry(following: file.path)
    let contents = try ContentFile(entry.name, in: entry.folder, path: entry.path)
    let size = try AppendedStamp.find(in: contents)?.contentSize ?? contents.size
    let meter = ProgressMeter(progress)
    meter.expect(size)
    let replacement = try NewFile(at: entry, existing: .replaced)
    let content = try contents.digest(first: size, meter: meter) { try replacement.write($0) }
    let stamp = try stamp(content, as: .appended)
    try replacement.write(AppendedStamp.trailer(stamp))
    // Without this check, a change at the last moment would be lost with the old file.
    guard contents.isInPlace(entry) else { throw contents.changedMeanwhile() }
    try replacement.commit()
    return stamp
  }

  // MARK: Folders

  /// Lists everything in a folder and its subfolders, with the digests of the files, and stamps the
  /// list.
  ///
  /// The list records names, kinds, permissions (including set-user-id and similar bits), sizes,
  /// contents, and the targets of links. It does not record owners, times or extended attributes,
  /// nor the name or permissions of the folder itself. Links are not followed. Pipes, sockets and
  /// devices are not read; the number of a device is recorded. Files are hashed on all processors.
  ///
  /// - Parameters:
  ///   - excluded: Files to leave out, such as the one to which the manifest is written. A folder
  ///     cannot be left out.
  ///   - progress: Counts bytes, and can cancel the work.
  /// - Throws: The errors of `stamp(_:progress:)`; ``AtRestError/Code/invalidArgument`` if `folder`
  ///   is not a folder, has more than 16,777,216 entries, or contains a path of more than 4,096
  ///   bytes.
  package func manifest(
    of folder: URL, leavingOut excluded: [URL] = [], progress: Progress? = nil
  ) throws -> FolderManifest {
    let walk = FolderWalk(folder)
    let meter = ProgressMeter(progress)
    var entries = try walk.entries(leavingOut: excluded, meter: meter)
    try walk.hash(&entries, at: entries.indices.filter { entries[$0].kind == .file }, meter: meter)
    return try FolderManifest(stamping: entries) { try stamp($0, as: .manifest) }
  }

  private func stamp(_ content: ContentDigest, as form: FileStamp.Form) throws -> FileStamp {
    let stamp = try FileStamp(
      form: form, method: method, keyFingerprint: key.fingerprint, content: content,
      code: authenticate)
    // If the private key does not match the public key, nobody could check the stamps.
    do { try key.check(stamp, on: "it") } catch {
      throw AtRestError.invalid(
        "The signature was not made with the private half of the public key.",
        remedy: "Pass the public half of the signing key, and the scheme that it uses.")
    }
    return stamp
  }
}
