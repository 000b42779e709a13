import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Backing up items, and restoring them on this machine or another.
extension Keychain {
  /// Writes the items of all groups into one file that is encrypted with a passphrase.
  ///
  /// Only the store's owner may call this. The user is not asked for proofs that access control
  /// requires: an unlocked store is enough, as for the backup of a device.
  ///
  /// The file is written under a temporary name in the same folder and then renamed, so an
  /// interrupted backup never replaces an older one. The format is in `docs/Formats.md`, *Backup*.
  ///
  /// - Parameters:
  ///   - url: The file. An existing file is replaced.
  ///   - kdf: The KDF of the passphrase, with its cost.
  ///   - weakPassphrases: Whether a passphrase that ``PassphraseRules/highlySensitive`` refuses is
  ///     refused here.
  /// - Throws: ``AtRestError/Code/weakPassphrase``; ``AtRestError/Code/notPermitted`` if the caller is
  ///   not the owner;
  ///   ``AtRestError/Code/locked`` if an item that belongs in the backup is locked, because an
  ///   incomplete backup is never made; ``AtRestError/Code/damaged``; ``AtRestError/Code/system``.
  @discardableResult
  public func backup(
    to url: URL, passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt(),
    weakPassphrases: WeakPassphrases = .refuse
  ) throws -> BackupSummary {
    try checkOwner()
    try PassphraseRules.highlySensitive.check(passphrase, weakPassphrases: weakPassphrases)
    let temporary = "\(url.path).new-\(UInt32.random(in: 0 ... .max))"
    let file = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemCall.error("create", temporary) }
    var isDone = false
    defer {
      Foundation.close(file)
      if !isDone { unlink(temporary) }
    }
    let summary = try writeBackup(passphrase, kdf) {
      try SystemCall.write($0, to: file, path: temporary)
    }
    guard fsync(file) == 0 else { throw SystemCall.error("flush", temporary) }
    guard rename(temporary, url.path) == 0 else {
      throw SystemCall.error("replace", url.path)
    }
    isDone = true
    try SystemCall.flushFolder(url.deletingLastPathComponent().path)
    return summary
  }

  /// Returns the bytes of a backup.
  ///
  /// - Parameter controlled: True to include items with access control.
  /// - Throws: The errors of `backup(to:passphrase:kdf:weakPassphrases:)`.
  package func backup(
    passphrase: borrowing SecretBytes, kdf: PasswordKDF, controlled: Bool = true
  ) throws -> (contents: Data, summary: BackupSummary) {
    try checkOwner()
    var contents = Data()
    let summary = try writeBackup(passphrase, kdf, controlled: controlled) { contents += $0 }
    return (contents, summary)
  }

  /// Refuses everyone except the owner, because a backup bypasses access groups and access control.
  private func checkOwner() throws {
    guard identity.isOwner else {
      throw AtRestError(
        .notPermitted, "\(identity.identifier) is not the store's owner.",
        remedy: "Open the keychain as ApplicationIdentity.owner().")
    }
  }

  private func writeBackup(
    _ passphrase: borrowing SecretBytes, _ kdf: PasswordKDF, controlled: Bool = true,
    _ write: (Data) throws -> Void
  ) throws -> BackupSummary {
    let keys = try BackupKeybag(
      passphrase: passphrase, kdf: kdf, device: keybag.device,
      fingerprint: keybag.deviceFingerprint())
    var head = ByteWriter()
    head.counted(keys.encoded)
    try write(head.data)
    return try reading(with: .unattended) { reader in
      var digest = SHA256()
      digest.update(data: head.data)
      var summary = BackupSummary()
      var buffer = ByteWriter(capacity: 1 << 17)
      var index: UInt64 = 0
      var entries: [IndexEntry] = []
      try reader.finder.session.index.forEach { entries.append($0) }
      for entry in entries.sorted(by: { $0.id < $1.id }) {
        let (itemClass, accessibility) = try entry.info.parts()
        let keyClass = accessibility.keyClass
        guard let key = keys.keys[keyClass],
          controlled || !entry.info.flags.contains(.accessControl)
        else {
          summary.leftOut += 1
          continue
        }
        let row = try reader.finder.row(of: entry)
        let opened = try reader.boxes.openMetadata(of: row)
        // No other device has the secure element to which the key belongs.
        if keyClass.isMigratable && opened.attributes[.tokenID] != nil && itemClass == .key {
          summary.leftOut += 1
          continue
        }
        let metadata = opened.encoded
        let payload = try reader.boxes.openPayload(of: row)
        // The buffer is large enough never to be reallocated, so erasing it erases the only copy.
        var record = ByteWriter(
          capacity: 32 + metadata.count + (RowBoxes.byteCount(payload) ?? 0))
        defer { record.erase() }
        record.integer(itemClass.number)
        record.counted(metadata)
        switch payload {
        case .some(let payload):
          record.integer(UInt8(1))
          payload.withUnsafeBytes { record.counted($0) }
        case .none: record.integer(UInt8(0))
        }
        let box = try SealingKey(key.bytes.derive(.backupRecord))
          .seal(record.bytes, context: BackupRecord.context(keys.id, index, keyClass.rawValue))
        buffer.integer(keyClass.rawValue)
        buffer.counted(box)
        index += 1
        if keyClass.isMigratable { summary.migratable += 1 } else { summary.thisDeviceOnly += 1 }
        if buffer.bytes.count > 1 << 16 {
          digest.update(data: buffer.data)
          try write(buffer.data)
          buffer = ByteWriter(capacity: 1 << 17)
        }
      }
      // The end box authenticates the whole file, including records that another device cannot
      // open.
      digest.update(data: buffer.data)
      let context = BackupRecord.context(keys.id, index, 0) + Data(digest.finalize())
      buffer.integer(UInt8(0))
      buffer.counted(
        try SealingKey(keys.endKey.bytes.duplicate()).seal(Data(), context: context))
      try write(buffer.data)
      return summary
    }
  }

  /// Restores the items of a backup in one transaction.
  ///
  /// Items that are bound to a device are restored if the backup was made on this device, and are
  /// left out otherwise.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the file does not exist;
  ///   ``AtRestError/Code/notPermitted`` if the caller is not the owner, or may not read the file;
  ///   ``AtRestError/Code/system`` if the file cannot be read;
  ///   ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong;
  ///   ``AtRestError/Code/damaged`` if the file was modified or truncated;
  ///   ``AtRestError/Code/duplicate`` if an item exists and `conflicts` is
  ///   ``RestoreConflict/refuse``; ``AtRestError/Code/locked``. In each case nothing is restored.
  @discardableResult
  public func restore(
    from url: URL, passphrase: borrowing SecretBytes, conflicts: RestoreConflict = .refuse
  ) throws -> RestoreSummary {
    try checkOwner()
    let name = "The backup \(url.path)"
    return try restore(
      Self.contents(ofBackup: url), passphrase: passphrase, conflicts: conflicts, name: name)
  }

  /// Reads a backup into memory. The file is not memory-mapped, because another process could
  /// truncate it.
  private static func contents(ofBackup url: URL) throws -> Data {
    let file = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw AtRestError(.notFound, "There is no file \(url.path).", remedy: "Check the path.")
      }
      throw SystemCall.error("read", url.path)
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    do {
      return try handle.readToEnd() ?? Data()
    } catch {
      throw AtRestError(
        .system, "Could not read \(url.path).", remedy: "Check the path and its disk.",
        cause: error)
    }
  }

  /// Restores the items from the bytes of a backup.
  ///
  /// - Throws: The errors of `restore(from:passphrase:conflicts:)`.
  @discardableResult
  package func restore(
    _ contents: Data, passphrase: borrowing SecretBytes, conflicts: RestoreConflict = .refuse,
    name: String = "The backup"
  ) throws -> RestoreSummary {
    try checkOwner()
    let passphrase = SecretBox(passphrase.duplicate())
    return try contents.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: name)
      let keys = try BackupKeybag(
        reading: reader.counted(limit: 1 << 16), passphrase: passphrase.bytes,
        device: keybag.device, fingerprint: keybag.deviceFingerprint(), name: name)
      return try writing(with: .unattended) { writer in
        var summary = RestoreSummary()
        var index: UInt64 = 0
        while true {
          let start = reader.offset
          let number = try reader.integer(UInt8.self)
          let box = Data(try reader.counted(limit: 1 << 26))
          let context = BackupRecord.context(keys.id, index, number)
          if number == 0 {
            let digest = Data(SHA256.hash(data: bytes.prefix(start)))
            _ = try SealingKey(keys.endKey.bytes.duplicate())
              .open(box, context: context + digest, name: "The end of \(name)").count
            try reader.finish()
            return summary
          }
          guard let keyClass = KeyClass(rawValue: number) else {
            throw AtRestError.damaged("\(name) has an unknown class \(number).")
          }
          index += 1
          guard let key = keys.keys[keyClass] else {
            summary.leftOut += 1
            continue
          }
          let record = try SealingKey(key.bytes.derive(.backupRecord))
            .open(box, context: context, name: "Item \(index) of \(name)")
          let isRestored = try writer.restore(
            BackupRecord(record), accessibility: Accessibility(keyClass: number),
            conflicts: conflicts)
          if isRestored { summary.restored += 1 } else { summary.kept += 1 }
        }
      }
    }
  }

  /// Writes the items of all groups into one file that is encrypted with a passphrase, off the
  /// caller's actor.
  @discardableResult
  public func backup(
    to url: URL, passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt(),
    weakPassphrases: WeakPassphrases = .refuse
  ) async throws -> BackupSummary {
    let passphrase = SecretBox(passphrase.duplicate())
    return try await offActor {
      try self.backup(
        to: url, passphrase: passphrase.bytes, kdf: kdf, weakPassphrases: weakPassphrases)
    }
  }

  /// Restores the items of a backup, off the caller's actor.
  @discardableResult
  public func restore(
    from url: URL, passphrase: borrowing SecretBytes, conflicts: RestoreConflict = .refuse
  ) async throws -> RestoreSummary {
    let passphrase = SecretBox(passphrase.duplicate())
    return try await offActor {
      try self.restore(from: url, passphrase: passphrase.bytes, conflicts: conflicts)
    }
  }
}
