import AtRestCrypto
import AtRestKeybag
import Foundation

/// Calls that change who can read a file. They rewrap the file's key, and leave its contents as
/// they are.
extension ProtectedFiles {
  /// Changes a file's protection class.
  ///
  /// - Throws: The errors of `rewrap(_:for:protection:requiring:)`.
  public func setProtection(_ protection: FileProtection, of url: URL) throws {
    try rewrap(url, for: self, protection: protection)
  }

  /// Rewraps a file's key for another class, a passphrase or other recipients.
  ///
  /// ```swift
  /// try byPassphrase.rewrap(url, for: ProtectedFiles(keybag))
  /// ```
  ///
  /// The file's key and contents stay the same. Anyone who kept the file's key, and any former
  /// reader who kept a copy of the file, can still read the earlier contents, and everything that
  /// is sealed with the same key later. To exclude a reader, write the file again. After a crash,
  /// the file opens with either the old or the new keys.
  ///
  /// - Parameter required: The class that the file must have now; see `open(_:for:requiring:)`.
  /// - Throws: ``AtRestError/Code/locked`` if the old class cannot be opened now, or files of the
  ///   new class cannot be created; `AtRestError.Code.busy` if a handle is updating the file;
  ///   otherwise the errors of `open(_:for:requiring:)`. If the call throws, the
  ///   file has its former keys, or gets the new ones when it is opened next.
  public func rewrap(
    _ url: URL, for other: ProtectedFiles, protection: FileProtection? = nil,
    requiring required: FileProtection? = nil
  ) throws {
    try rewrap(
      FolderEntry(following: url.path), for: other, protection: protection, requiring: required)
  }

  /// Rewraps the key of a file in a folder that is held open.
  ///
  /// - Throws: The errors of ``rewrap(_:for:protection:requiring:)``.
  package func rewrap(
    _ entry: FolderEntry, for other: ProtectedFiles, protection: FileProtection? = nil,
    requiring required: FileProtection? = nil
  ) throws {
    let keys = fileKeys(requiring: required)
    let file = try entry.regular(flags: O_RDWR)
    let journal = try RedoJournal.begin(beside: file, keys: keys)
    let stored = try StoredFile(file, keys: keys)
    let key = try stored.secrets.key()
    let slots = try other.keys.wrap(key.bytes, protection: protection, name: entry.path)
    guard let header = stored.header.replacing(slots: slots) else {
      return try rewrite(stored, entry, stored.header.enlarged(slots: slots), key)
    }
    let bytes = header.encoded(fileKey: key.bytes)
    try journal.reset(header: stored.headerBytes, size: stored.storedSize, fileKey: key.bytes)
    _ = try bytes.withUnsafeBytes { try journal.append($0, for: 0) }
    try other.keys.checkStore()
    try journal.commit(finalSize: stored.storedSize)
    try journal.apply(to: file)
  }

  /// Writes the same chunks after a larger header.
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

extension ProtectedFiles {
  /// Returns the keys of these files, limited to the required class, if any.
  func fileKeys(requiring required: FileProtection?) -> any FileKeys {
    guard let required else { return keys }
    return RequiredClassKeys(keys: keys, required: required)
  }
}
