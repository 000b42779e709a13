@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// Backing up items and the class keys of files, and restoring them on this machine or another.
extension Keychain {
  /// Writes the items of all groups, and the class keys of protected files, into one file that is
  /// encrypted with a passphrase.
  ///
  /// Protected files are not in the backup, but they open with the store into which it is restored.
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
  ///   ``AtRestError/Code/locked`` if the store is locked, because an incomplete backup is never
  ///   made; ``AtRestError/Code/damaged``; ``AtRestError/Code/system``.
  @discardableResult
  public func backup(
    to url: URL, passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt(),
    weakPassphrases: WeakPassphrases = .refuse
  ) throws -> BackupSummary {
    try checkOwner()
    try PassphraseRules.highlySensitive.check(passphrase, weakPassphrases: weakPassphrases)
    let temporary = "\(url.path).new-\(UInt32.random(in: 0 ... .max))"
    let file = SystemPath.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemCall.error("create", url.path) }
    var isDone = false
    defer {
      Foundation.close(file)
      if !isDone { SystemPath.remove(temporary) }
    }
    let summary = try writeBackup(passphrase, kdf) {
      try SystemCall.write($0, to: file, path: url.path)
    }
    guard fsync(file) == 0 else { throw SystemCall.error("flush", url.path) }
    guard SystemPath.rename(temporary, to: url.path) else {
      throw SystemCall.error("replace", url.path)
    }
    isDone = true
    try SystemCall.flushFolder(url.deletingLastPathComponent().path)
    return summary
  }

  /// Returns the bytes of a backup.
  ///
  /// - Parameters:
  ///   - controlled: True to include items with access control.
  ///   - visit: A closure that is called for each item. The reason is the one for which another
  ///     device does not get the item, if it is left out.
  /// - Throws: The errors of `backup(to:passphrase:kdf:weakPassphrases:)`.
  package func backup(
    passphrase: borrowing SecretBytes, kdf: PasswordKDF, controlled: Bool = true,
    visit: (LeftOutItem) -> Void = { _ in }
  ) throws -> (contents: Data, summary: BackupSummary) {
    try checkOwner()
    var contents = Data()
    let summary = try writeBackup(passphrase, kdf, controlled: controlled, visit: visit) {
      contents += $0
    }
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
    visit: (LeftOutItem) -> Void = { _ in }, _ write: @escaping (Data) throws -> Void
  ) throws -> BackupSummary {
    try directly("makes no backups") {
      try $0.writeBackup(passphrase, kdf, controlled: controlled, visit: visit, write)
    }
  }

  /// Restores the items of a backup in one transaction, and keeps the class keys of its files.
  ///
  /// Items that are bound to a device are restored if the backup was made on this device, and are
  /// left out otherwise; the summary names them. Protected files of the former store open with this
  /// store from then on, if they were protected under the class keys in the backup: a first passcode
  /// that is set later draws new ones. `ProtectedFiles.rewrap(_:for:protection:requiring:)` moves a file to the
  /// keys of this store.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the file does not exist;
  ///   ``AtRestError/Code/notPermitted`` if the caller is not the owner, or may not read the file;
  ///   ``AtRestError/Code/system`` if the file cannot be read;
  ///   ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong;
  ///   ``AtRestError/Code/damaged`` if the file was modified or truncated;
  ///   ``AtRestError/Code/duplicate`` if an item exists and `conflicts` is
  ///   ``RestoreConflict/refuse``; ``AtRestError/Code/locked``. In each case no item is restored.
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
    let file = SystemPath.open(url.path, O_RDONLY | O_CLOEXEC)
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
    return try directly("restores no backups") {
      try $0.restore(contents, passphrase: passphrase, conflicts: conflicts, name: name)
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

extension StoreBackend {
  fileprivate func writeBackup(
    _ passphrase: borrowing SecretBytes, _ kdf: PasswordKDF, controlled: Bool,
    visit: (LeftOutItem) -> Void, _ write: @escaping (Data) throws -> Void
  ) throws -> BackupSummary {
    let keys = try BackupKeybag(
      passphrase: passphrase, kdf: kdf, device: keybag.device,
      fingerprint: keybag.deviceFingerprint(), fileKeys: keybag.fileKeySets())
    var backup = BackupWriter(keys, write)
    try backup.begin()
    return try reading(with: .unattended) { reader in
      var summary = BackupSummary()
      var entries: [IndexEntry] = []
      try reader.finder.session.index.forEach { entries.append($0) }
      for entry in entries.sorted(by: { $0.id < $1.id }) {
        let (itemClass, accessibility) = try entry.info.parts()
        let keyClass = accessibility.keyClass
        let row = try reader.finder.row(of: entry)
        let opened = try reader.boxes.openMetadata(of: row)
        // Whoever has a backup and its passphrase could otherwise give grants with it.
        guard !opened.group.hasSameBytes(as: ApplicationIdentity.agentGroup) else { continue }
        let reason: LeftOutItem.Reason? =
          if keys.keys[keyClass] == nil {
            .passcodeSet
          } else if !controlled, entry.info.flags.contains(.accessControl) {
            .accessControl
          } else if keyClass.isMigratable, itemClass == .key, opened.attributes[.tokenID] != nil {
            // No other device has the secure element to which the key belongs.
            .hardwareKey
          } else {
            nil
          }
        let item = LeftOutItem(
          primaryKey: opened.primaryKey(itemClass), accessibility: accessibility,
          reason: reason ?? .otherDevice)
        visit(item)
        if reason != nil {
          summary.leftOut.append(item)
          try backup.leaveOut(item)
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
        try backup.add(record.bytes, keyClass, named: item)
        if keyClass.isMigratable { summary.migratable += 1 } else { summary.thisDeviceOnly += 1 }
      }
      try backup.end()
      return summary
    }
  }

  fileprivate func restore(
    _ contents: Data, passphrase: borrowing SecretBytes, conflicts: RestoreConflict, name: String
  ) throws -> RestoreSummary {
    let passphrase = SecretBox(passphrase.duplicate())
    return try contents.withUnsafeBytes { bytes in
      let backup = try BackupReader(bytes, name: name) { head in
        try BackupKeybag(
          reading: head, passphrase: passphrase.bytes, device: keybag.device,
          fingerprint: keybag.deviceFingerprint(), name: name)
      }
      // The class keys come first: if the items cannot be restored, the keys do no harm, and the next
      // try finds them.
      try keybag.adopt(backup.keys.fileKeys)
      return try writing(with: .unattended, isShared: false) { writer in
        var summary = RestoreSummary()
        summary.formerStores = backup.formerStores.filter { $0 != keybag.identity }
        try backup.forEach { entry in
          switch consume entry {
          case .leftOut(let item): summary.leftOut.append(item)
          case .item(let record, let keyClass):
            guard !record.metadata.group.hasSameBytes(as: ApplicationIdentity.agentGroup) else {
              return
            }
            let isRestored = try writer.restore(
              record, accessibility: Accessibility(keyClass: keyClass.rawValue),
              conflicts: conflicts)
            if isRestored { summary.restored += 1 } else { summary.kept += 1 }
          }
        }
        return summary
      }
    }
  }
}
