import AtRestCrypto
import AtRestKeybag
import Foundation

/// Who reads a file that exists: its key is wrapped anew, and its contents stay as they are.
extension ProtectedFiles {
  /// Moves a file to another protection class.
  ///
  /// - Throws: As `rewrap(_:for:protection:requiring:)`.
  public func setProtection(_ protection: FileProtection, of url: URL) throws {
    try rewrap(url, for: self, protection: protection)
  }

  /// Moves a file to other keys: to a class, a passphrase, other recipients.
  ///
  /// ```swift
  /// try byPassphrase.rewrap(url, for: ProtectedFiles(keybag))
  /// ```
  ///
  /// The file's key and contents stay as they are, so whoever had the key before, or a copy of the
  /// file as it was, can still read what was in it then, and what the same key seals later. To shut
  /// somebody out, write the file anew. A crash leaves the old way in or the new one.
  ///
  /// - Parameter required: The class that the file must have now: see `open(_:for:requiring:)`.
  /// - Throws: ``AtRestError/Code/locked`` where the old class does not open now, or the new one takes
  ///   no files; `AtRestError.Code.busy` where a handle updates the file; otherwise as
  ///   `open(_:for:requiring:)`. The file is then as it was.
  public func rewrap(
    _ url: URL, for other: ProtectedFiles, protection: FileProtection? = nil,
    requiring required: FileProtection? = nil
  ) throws {
    try rewrap(
      FolderEntry(following: url.path), for: other, protection: protection, requiring: required)
  }

  /// Moves a file in a folder that is held open to other keys.
  ///
  /// - Throws: As ``rewrap(_:for:protection:requiring:)``.
  package func rewrap(
    _ entry: FolderEntry, for other: ProtectedFiles, protection: FileProtection? = nil,
    requiring required: FileProtection? = nil
  ) throws {
    let keys = fileKeys(requiring: required)
    let file = try entry.regular(flags: O_RDWR)
    let journal = try RedoJournal.begin(beside: file, keys: keys)
    let stored = try StoredFile(file, keys: keys)
    let key = try stored.secrets.key()
    let slots = try other.keys.wrap(key.bytes, protection: protection)
    guard let header = stored.header.replacing(slots: slots) else {
      return try rewrite(stored, entry, stored.header.enlarged(slots: slots), key)
    }
    let bytes = header.encoded(fileKey: key.bytes)
    try journal.reset(header: stored.headerBytes, size: stored.storedSize, fileKey: key.bytes)
    _ = try bytes.withUnsafeBytes { try journal.append($0, for: 0) }
    try journal.commit(finalSize: stored.storedSize)
    try journal.apply(to: file)
  }

  /// Puts the same chunks behind a header that is larger.
  private func rewrite(
    _ stored: StoredFile, _ entry: FolderEntry, _ header: FileHeader, _ key: SecretBox
  ) throws {
    let new = try NewFile(at: entry, existing: .replaced)
    try new.file.write(header.encoded(fileKey: key.bytes), at: 0)
    let start = UInt64(stored.header.count)
    let transfer = Transfer(
      from: .regular(stored.file, start: start, count: stored.storedSize - start),
      to: .regular(new.file, start: UInt64(header.count)), inputSize: 1 << 20,
      outputSize: 1 << 20, meter: ProgressMeter(nil))
    _ = try transfer.run { batch in
      let bytes = UnsafeRawBufferPointer(rebasing: batch.input[ChunkCipher.headroom...])
      batch.output.copyMemory(from: bytes)
      return bytes.count
    }
    try new.commit()
  }
}
