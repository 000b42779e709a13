@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// The properties of a protected file that can be read without a key. The properties are
/// authenticated only when the file is opened.
package struct FileDescription: Sendable, Codable, Equatable {
  /// One reader that can open the file.
  package struct Reader: Sendable, Codable, Equatable {
    /// The kind of reader: `store`, `passphrase`, `recipient` or `key`.
    package let kind: String
    /// The protection class if the reader is a store; otherwise nil.
    package let protection: FileProtection?
    /// The identity of the store in hexadecimal; nil for other readers.
    package let store: String?
    /// The KDF of the passphrase and its cost; nil for other readers.
    package let kdf: String?
    /// The algorithm of a recipient's key; nil for other readers.
    package let algorithm: String?
    /// The first 8 bytes of the SHA-256 of a recipient's public key (SubjectPublicKeyInfo), or an
    /// identifier derived from a key that is kept outside the file, in hexadecimal; nil for other
    /// readers.
    package let fingerprint: String?
  }

  /// The version of the file format.
  package let version: Int
  /// The cipher of the contents.
  package let cipher: String
  /// The random identity of the file, in hexadecimal.
  package let identity: String
  /// The size of a chunk in bytes.
  package let chunkSize: Int
  /// The number of times that the contents were changed in place.
  package let generation: UInt64
  /// The readers that can open the file.
  package let readers: [Reader]
  /// The size of the contents in bytes. It may be 0 while ``hasInterruptedChange`` is true.
  package let size: UInt64
  /// The size of the stored file in bytes.
  package let storedSize: UInt64
  /// True if a change in place was interrupted. The next opening finishes or reverts it.
  package let hasInterruptedChange: Bool

  /// The protection class, or nil if no store protects the file.
  package var protection: FileProtection? { readers.lazy.compactMap(\.protection).first }

  /// Reads the header of a file.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; `AtRestError.Code.notProtected`;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/damaged`` if the header is
  ///   malformed or the file was cut off inside a chunk; ``AtRestError/Code/invalidArgument`` for
  ///   folders and special files; ``AtRestError/Code/system``.
  package init(of url: URL) throws {
    let entry = try FolderEntry(following: url.path)
    let file = try entry.regular()
    _ = try file.lock(LOCK_SH)
    defer { file.unlock() }
    let (header, bytes) = try StoredFile.readHeader(of: file)
    let storedSize = try RedoJournal.committedSize(of: file, header: bytes, fileKey: nil)
    let hasInterruptedChange = Self.hasJournal(beside: entry)
    let size: UInt64
    do {
      let (end, isCut) = storedSize.subtractingReportingOverflow(UInt64(header.tableCount))
      size = try ChunkLayout(header).size(end: isCut ? 0 : end, name: url.path)
    } catch {
      // An interrupted change may have left extra bytes.
      guard hasInterruptedChange else { throw error }
      size = 0
    }
    self.init(
      header, size: size, storedSize: storedSize, hasInterruptedChange: hasInterruptedChange)
  }

  private static func hasJournal(beside entry: FolderEntry) -> Bool {
    let journal = RedoJournal.entry(beside: entry)
    guard let status = journal.status, status.size > 0, let file = try? journal.regular()
    else {
      return false
    }
    // A locked journal belongs to an open handle.
    return (try? file.lock(LOCK_SH | LOCK_NB)) == true && journal.status != nil
  }

  private init(
    _ header: FileHeader, size: UInt64, storedSize: UInt64, hasInterruptedChange: Bool
  ) {
    version = Int(FileHeader.version)
    cipher = "AES-256-GCM"
    identity = header.identity.hexadecimal
    chunkSize = header.chunkSize
    generation = header.generation
    readers = header.slots.map(Reader.init)
    self.size = size
    self.storedSize = storedSize
    self.hasInterruptedChange = hasInterruptedChange
  }
}

extension FileDescription.Reader {
  init(_ slot: KeySlot) {
    switch slot {
    case .store(let protection, let store, _):
      self.init(
        kind: "store", protection: protection, store: store.hexadecimal, kdf: nil, algorithm: nil,
        fingerprint: nil)
    case .passphrase(let kdf, _, _):
      self.init(
        kind: "passphrase", protection: nil, store: nil, kdf: "\(kdf)", algorithm: nil,
        fingerprint: nil)
    case .recipient(let algorithm, let fingerprint, _, _):
      self.init(
        kind: "recipient", protection: nil, store: nil, kdf: nil, algorithm: algorithm.name,
        fingerprint: fingerprint.hexadecimal)
    case .key(let fingerprint, _):
      self.init(
        kind: "key", protection: nil, store: nil, kdf: nil, algorithm: nil,
        fingerprint: fingerprint.hexadecimal)
    }
  }
}

extension PublicKey {
  /// The fingerprint by which a protected file names a recipient: the first 8 bytes of the SHA-256
  /// of the key (SubjectPublicKeyInfo), in hexadecimal.
  package var recipientFingerprint: String { RecipientFileKeys.fingerprint(of: self).hexadecimal }
}
