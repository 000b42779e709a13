import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// Encrypted files of any size, protected by a protection class, a passphrase or the public keys of
/// recipients.
///
/// ```swift
/// let files = ProtectedFiles(keybag)
/// try files.write(report, to: url, options: .completeFileProtection)
/// let report = try files.read(url)
/// ```
///
/// Each file has a key of its own, wrapped in its header. Its contents are sealed in chunks with
/// AES-256-GCM; each chunk is bound to its position and to whether it is the last. A file is
/// refused if it was cut off, extended or reordered, or if it contains chunks of another file or of
/// an older version. No byte of a damaged chunk is returned. Only `unprotect(_:to:)` writes
/// plaintext to disk.
///
/// A write is atomic and durable: readers find the file as it was either before or after the write,
/// even after a power failure. Symbolic links are followed. Folders and special files are refused.
///
/// Safe to use from several threads. Several processes can use the same files.
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

  // MARK: Keys

  /// Protects files with the class keys of a store.
  ///
  /// - Parameters:
  ///   - keybag: The store's class keys. The keybag may be locked.
  ///   - protection: The class of new files for which no class is given.
  ///   - usesAgent: True to let `atrest-agent` wrap and unwrap the keys of files while it serves the
  ///     store and this process has not unlocked the keybag itself. The agent decides whether the
  ///     process may use the keys of files, and otherwise refuses with
  ///     ``AtRestError/Code/notPermitted``.
  public convenience init(
    _ keybag: Keybag, protection: FileProtection = .completeUntilFirstAuthentication,
    usesAgent: Bool = true
  ) {
    self.init(
      keys: StoreFileKeys(keybag, defaultProtection: protection, usesAgent: usesAgent))
  }

  /// Protects files with a passphrase. Any machine can read them with the passphrase.
  ///
  /// The passphrase is kept in locked memory as long as this value exists. The KDF runs once when
  /// the first file is written, and once when the first file of each group that was written
  /// together is read.
  ///
  /// - Parameter kdf: The cost for new files, which is stored in their headers. Files that demand
  ///   more than 1 GiB of memory times parallelism, or 10,000,000 rounds, are refused.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the passphrase is empty, or the cost exceeds
  ///   these limits.
  public convenience init(
    passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) throws {
    self.init(keys: try PassphraseFileKeys(passphrase, kdf: kdf))
  }

  /// Protects files for the owners of key pairs. The writer cannot read the files.
  ///
  /// Anyone can write such a file, so a file that opens may come from anyone.
  ///
  /// - Parameter recipients: The public keys of 1 to 100 recipients: X25519 or P-256. Any one of
  ///   their private keys can read the files.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the list is empty, too long, or has a key of
  ///   another algorithm.
  public convenience init(recipients: [PublicKey]) throws {
    self.init(keys: try RecipientFileKeys(recipients: recipients, identity: nil))
  }

  /// Opens files for the owner of a private key. New files are protected for the same owner.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for algorithms other than X25519 and P-256.
  public convenience init(identity: consuming PrivateKey) throws {
    let publicKey = identity.publicKey
    let shared = SharedPrivateKey(identity)
    try self.init(identity: publicKey) { try shared.key.sharedSecret(with: $0) }
  }

  /// Opens files for the owner of a private key that stays in a keychain or a secure element. New
  /// files are protected for the same owner.
  ///
  /// ```swift
  /// let files = try ProtectedFiles(identity: publicKey) { ephemeral in
  ///   try keychain.sharedSecret(with: ephemeral, tag: "com.example.files")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - publicKey: The public half of the pair.
  ///   - agree: A closure that returns the raw shared secret of the private key and another public
  ///     key (RFC 7748; for P-256 the X coordinate). The closure is called once for each file that
  ///     is opened.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for algorithms other than X25519 and P-256.
  public convenience init(
    identity publicKey: PublicKey,
    agree: @escaping @Sendable (PublicKey) throws -> SecretBytes
  ) throws {
    self.init(
      keys: try RecipientFileKeys(
        recipients: [publicKey],
        identity: RecipientFileKeys.Identity(publicKey: publicKey, agree: agree)))
  }

  /// Returns files with the same keys, whose new files the readers of other files can open too.
  ///
  /// Use this for a second way in: the files stay readable if the store is lost.
  ///
  /// ```swift
  /// let recovery = try ProtectedFiles(recipients: [recoveryKey])
  /// let files = ProtectedFiles(keybag).adding(readersOf: recovery)
  /// ```
  ///
  /// An open file can be used as long as these keys allow, whatever the other readers need. The other
  /// readers are not bound to the class: they open the file while the store is locked, and after it
  /// was wiped.
  ///
  /// - Parameter other: Files that are protected with a passphrase or recipients. Their passphrase is
  ///   kept as long as the result exists.
  public func adding(readersOf other: ProtectedFiles) -> ProtectedFiles {
    ProtectedFiles(keys: CombinedFileKeys(keys: keys, others: [other.keys]), chunkSize: chunkSize)
  }

  /// Opens files with the keys that their headers name. New files cannot be created.
  ///
  /// - Parameter choose: A closure that returns files with the key of one of the given readers. The
  ///   closure's second argument is the name of the file, for messages. The closure is called at
  ///   least once for each file.
  /// - Parameter explain: A closure that returns the error to throw if the file's key cannot be
  ///   unwrapped.
  package convenience init(
    choosing choose:
      @escaping @Sendable ([FileDescription.Reader], String) throws -> ProtectedFiles,
    explaining explain:
      @escaping @Sendable (AtRestError, [FileDescription.Reader]) -> AtRestError = { error, _ in
        error
      }
  ) {
    self.init(keys: ChosenFileKeys(choose, explain))
  }

  private final class SharedPrivateKey: Sendable {
    let key: PrivateKey
    init(_ key: consuming PrivateKey) { self.key = key }
  }

  /// Returns files with the same keys and chunks of another size, 1,024 to 1,048,576 bytes. For
  /// tests.
  package func chunked(by chunkSize: Int) -> ProtectedFiles {
    ProtectedFiles(keys: keys, chunkSize: chunkSize)
  }

  /// Creates a new file's header and secrets.
  func newFile(
    _ protection: FileProtection?, name: String
  ) throws -> (FileHeader, FileSecrets) {
    let secrets = try FileSecrets(new: protection, keys: keys, name: name)
    let header = FileHeader(
      slots: secrets.slots, chunkSize: chunkSize, identity: RandomBytes.data(count: 16))
    return (header, secrets)
  }

  /// Returns true if a file begins like a protected file. Only opening the file shows whether it is
  /// protected.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/invalidArgument`` for folders and
  ///   special files; ``AtRestError/Code/system``.
  package static func isProtected(_ url: URL) throws -> Bool {
    try isProtected(head: head(of: url, count: magicCount))
  }

  /// Returns true if the first bytes of a file are those of a protected file.
  package static func isProtected(head: Data) -> Bool {
    head.prefix(magicCount).elementsEqual(FileHeader.magic)
  }

  /// The number of bytes that ``isProtected(head:)`` needs.
  package static var magicCount: Int { FileHeader.magic.count }

  /// Returns the first bytes of a file, or all bytes if it has fewer.
  package static func head(of url: URL, count: Int) throws -> Data {
    try OpenFile.regular(url.path).read(count, at: 0)
  }

  // MARK: Handles

  /// Opens an existing file.
  ///
  /// The class of a file is stored in the file. Anyone who can write to its folder and to the store
  /// can therefore replace the file with a genuine file of a weaker class. A caller that knows the
  /// expected class should require it.
  ///
  /// - Parameter required: The only class that is accepted; files without a store are then refused,
  ///   and a file with further readers is opened with the store's key. The class is checked before a
  ///   key is used. nil accepts any class, and files that are
  ///   protected without a store.
  /// - Throws: ``AtRestError/Code/otherClass`` if the file is protected with a class other than the
  ///   required one, or without a store; ``AtRestError/Code/notFound``;
  ///   ``AtRestError/Code/locked``; ``AtRestError/Code/notPermitted`` if the file belongs to
  ///   another store or key; ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong;
  ///   ``AtRestError/Code/damaged``; `AtRestError.Code.notProtected`;
  ///   ``AtRestError/Code/unsupportedVersion``; `AtRestError.Code.busy` for updating a file that
  ///   another handle is updating; ``AtRestError/Code/invalidArgument`` for folders and special
  ///   files, and for updating a file with several hard links; ``AtRestError/Code/system``.
  public func open(
    _ url: URL, for access: ProtectedFileHandle.Access = .reading,
    requiring required: FileProtection? = nil
  ) throws -> ProtectedFileHandle {
    try open(FolderEntry(following: url.path), for: access, requiring: required)
  }

  /// Opens a file in a folder that is held open.
  ///
  /// - Throws: The errors of `open(_:for:requiring:)`.
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
    // If the store was locked just before this call, the handle was not notified.
    handle.lock(waits: false)
    return handle
  }

  /// Creates an empty file, and opens it for updating.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the file exists already; otherwise the errors of
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
    try keys.checkStore()
    try new.commit()
    // The secrets are reused, because while the store is locked, a file of class B can be created
    // but not opened.
    let file = try new.entry.regular(flags: O_RDWR)
    let journal = try RedoJournal.begin(beside: file, keys: keys)
    return handle(try StoredFile(file, secrets: secrets), journal)
  }

  private func lock() {
    let open = handles.withLock { $0.compactMap(\.handle) }
    let waits = !keys.mayAskAgent
    for handle in open { handle.lock(waits: waits) }
  }
}
