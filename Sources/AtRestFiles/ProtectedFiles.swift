import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// Files of any size under a protection class, a passphrase, or the public keys of those who shall
/// read them.
///
/// ```swift
/// let files = ProtectedFiles(keybag)
/// try files.write(report, to: url, options: .completeFileProtection)
/// let report = try files.read(url)
/// ```
///
/// Each file has a key of its own, wrapped in its header; its contents are sealed in chunks with
/// AES-256-GCM, each bound to its place and to whether it is the last. A file that was cut, extended,
/// reordered, mixed with another or with an older version of itself is refused, and nothing of a bad
/// chunk is given out. No plaintext is written to disk by anything here but `unprotect(_:to:)`.
///
/// What is written takes its place whole and durable: a reader, and a machine that lost power, finds
/// the file as it was before or as it is after. Symbolic links are followed; folders and special
/// files are refused.
///
/// Safe to use from several threads, and files from several processes.
public final class ProtectedFiles: Sendable {
  let keys: any FileKeys
  private let chunkSize: Int
  private let handles = Mutex<[WeakHandle]>([])

  private struct WeakHandle: Sendable { weak let handle: ProtectedFileHandle? }

  package init(keys: any FileKeys, chunkSize: Int? = nil) {
    self.keys = keys
    self.chunkSize = chunkSize ?? FileHeader.defaultChunkSize
    keys.onLock { [weak self] in self?.lock() }
  }

  // MARK: Who reads the files

  /// Files of a store.
  ///
  /// - Parameters:
  ///   - keybag: The store's class keys; it may be locked.
  ///   - protection: The class of new files that are given none.
  public convenience init(
    _ keybag: Keybag, protection: FileProtection = .completeUntilFirstAuthentication
  ) {
    self.init(keys: StoreFileKeys(keybag: keybag, defaultProtection: protection))
  }

  /// Files under a passphrase, which any machine can read that is told it.
  ///
  /// The passphrase is kept in locked memory while this value lives. The first file written, and the
  /// first read of each run that wrote some, takes the time that the cost orders.
  ///
  /// - Parameter kdf: The cost for new files; it stands in their headers. Files that demand more
  ///   than 1 GiB of memory times parallelism, or 10,000,000 rounds, are refused.
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the passphrase is empty, or the cost above
  ///   that.
  public convenience init(
    passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) throws {
    self.init(keys: try PassphraseFileKeys(passphrase, kdf: kdf))
  }

  /// Files for the owners of key pairs, written by somebody who cannot read them.
  ///
  /// Anybody can write such a file: that it opens says nothing about who wrote it.
  ///
  /// - Parameter recipients: X25519 and P-256 keys, 1 to 100; any one of their private keys reads.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for none, too many, or other algorithms.
  public convenience init(recipients: [PublicKey]) throws {
    self.init(keys: try RecipientFileKeys(recipients: recipients, identity: nil))
  }

  /// Files for the owner of a private key; new ones are for the same.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other algorithms than X25519 and P-256.
  public convenience init(identity: consuming PrivateKey) throws {
    let publicKey = identity.publicKey
    let shared = SharedPrivateKey(identity)
    try self.init(identity: publicKey) { try shared.key.sharedSecret(with: $0) }
  }

  /// Files for the owner of a private key that stays where it is, as in a keychain or a secure
  /// element; new ones are for the same.
  ///
  /// ```swift
  /// let files = try ProtectedFiles(identity: publicKey) { ephemeral in
  ///   try keychain.sharedSecret(with: ephemeral, tag: "com.example.files")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - publicKey: The public half.
  ///   - agree: Gives the raw shared secret with another public key (RFC 7748; for P-256 the X
  ///     coordinate). Called once for each file that is opened.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other algorithms than X25519 and P-256.
  public convenience init(
    identity publicKey: PublicKey,
    agree: @escaping @Sendable (PublicKey) throws -> SecretBytes
  ) throws {
    self.init(
      keys: try RecipientFileKeys(
        recipients: [publicKey],
        identity: RecipientFileKeys.Identity(publicKey: publicKey, agree: agree)))
  }

  /// Files that are opened by what their headers ask for; new ones cannot be made.
  ///
  /// - Parameter choose: Gives the files that have the key of one of a file's readers; the file's name
  ///   is for messages. Asked once for each file, or more.
  package convenience init(
    choosing choose: @escaping @Sendable ([FileDescription.Reader], String) throws -> ProtectedFiles
  ) {
    self.init(keys: ChosenFileKeys(choose))
  }

  private final class SharedPrivateKey: Sendable {
    let key: PrivateKey
    init(_ key: consuming PrivateKey) { self.key = key }
  }

  /// The same files in chunks of another size, 1,024 to 1,048,576 bytes; for tests.
  package func chunked(by chunkSize: Int) -> ProtectedFiles {
    ProtectedFiles(keys: keys, chunkSize: chunkSize)
  }

  /// A new file's header and secrets.
  func newFile(
    _ protection: FileProtection?, name: String
  ) throws -> (FileHeader, FileSecrets) {
    let secrets = try FileSecrets(new: protection, keys: keys, name: name)
    let header = FileHeader(
      slots: secrets.slots, chunkSize: chunkSize, identity: RandomBytes.data(count: 16))
    return (header, secrets)
  }

  /// Whether a file begins as protected files do; only opening it shows whether it is one.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/invalidArgument`` for folders and
  ///   special files; ``AtRestError/Code/system``.
  package static func isProtected(_ url: URL) throws -> Bool {
    try isProtected(head: head(of: url, count: magicCount))
  }

  /// Whether the first bytes of a file are those of a protected one.
  package static func isProtected(head: Data) -> Bool {
    head.prefix(magicCount).elementsEqual(FileHeader.magic)
  }

  /// How many bytes of a file show it.
  package static var magicCount: Int { FileHeader.magic.count }

  /// The first bytes of a file, or all where it has fewer.
  package static func head(of url: URL, count: Int) throws -> Data {
    try OpenFile.regular(url.path).read(count, at: 0)
  }

  // MARK: Handles

  /// Opens a file that exists.
  ///
  /// A file names its class itself. Whoever may write to its folder and to the store can therefore put a
  /// genuine file of a weaker class in its place. A caller that knows which class it expects says so.
  ///
  /// - Parameter required: The only class that is accepted, in a store. It is checked before a key is
  ///   used; nil accepts any class, a passphrase and recipients.
  /// - Throws: ``AtRestError/Code/otherClass`` where the file is protected in another class than the
  ///   required one, or without a store;
  ///   ``AtRestError/Code/notFound``; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/notPermitted`` where it belongs to another store or key;
  ///   ``AtRestError/Code/authenticationFailed`` where the passphrase is wrong;
  ///   ``AtRestError/Code/damaged``; `AtRestError.Code.notProtected`;
  ///   ``AtRestError/Code/unsupportedVersion``; `AtRestError.Code.busy` where another handle
  ///   updates it; ``AtRestError/Code/invalidArgument`` for folders and special files, and for
  ///   updating a file with several hard links;
  ///   ``AtRestError/Code/system``.
  public func open(
    _ url: URL, for access: ProtectedFileHandle.Access = .reading,
    requiring required: FileProtection? = nil
  ) throws -> ProtectedFileHandle {
    try open(FolderEntry(following: url.path), for: access, requiring: required)
  }

  /// Opens a file in a folder that is held open.
  ///
  /// - Throws: As `open(_:for:requiring:)`.
  package func open(
    _ entry: FolderEntry, for access: ProtectedFileHandle.Access = .reading,
    requiring required: FileProtection? = nil
  ) throws -> ProtectedFileHandle {
    let keys = fileKeys(requiring: required)
    switch access {
    case .reading: return handle(try StoredFile.open(entry, keys: keys), nil)
    case .updating:
      let file = try entry.regular(flags: O_RDWR)
      let journal = try RedoJournal.begin(beside: file, keys: keys)
      return handle(try StoredFile(file, keys: keys), journal)
    }
  }

  private func handle(
    _ stored: StoredFile, _ journal: sending RedoJournal?
  ) -> ProtectedFileHandle {
    let handle = ProtectedFileHandle(stored, journal: journal, of: self)
    handles.withLock { handles in
      handles.removeAll { $0.handle == nil }
      handles.append(WeakHandle(handle: handle))
    }
    // A lock just before this was not told to it.
    handle.lock()
    return handle
  }

  /// Makes an empty file, and opens it for updating.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where there is a file already; otherwise as
  ///   `open(_:for:requiring:)`.
  public func create(_ url: URL, protection: FileProtection? = nil) throws -> ProtectedFileHandle {
    let (header, secrets) = try newFile(protection, name: url.path)
    let new = try NewFile(at: url.path, existing: .refused)
    let key = try secrets.key()
    try new.file.write(header.encoded(fileKey: key.bytes), at: 0)
    var empty = Data(count: ChunkCipher.overhead)
    try empty.withUnsafeMutableBytes {
      try secrets.cipher(salt: header.identity).seal(
        UnsafeRawBufferPointer(start: nil, count: 0),
        place: ChunkCipher.Place(counter: 0, index: 0, isLast: true), into: $0)
    }
    try new.file.write(empty, at: UInt64(header.count))
    try new.commit()
    // With the secrets at hand: a class that takes new files while locked opens none then.
    let file = try new.entry.regular(flags: O_RDWR)
    let journal = try RedoJournal.begin(beside: file, keys: keys)
    return handle(try StoredFile(file, secrets: secrets), journal)
  }

  private func lock() {
    let open = handles.withLock { $0.compactMap(\.handle) }
    for handle in open { handle.lock() }
  }
}
