import AtRestCrypto
import AtRestFormats
import Foundation

extension Backup {
  /// Opens a file; an encrypted one decrypts as it is read, so it takes no memory of its own size.
  ///
  /// Files are encrypted without authentication: a changed byte shows only where it is in the key or
  /// the padding.
  ///
  /// - Throws: ``AtRestError/Code/locked`` where the backup was not unlocked yet;
  ///   ``AtRestError/Code/notFound`` where the backup lists the file and does not have it;
  ///   ``AtRestError/Code/damaged`` where its key or its end was changed;
  ///   ``AtRestError/Code/notPermitted`` where its class is bound to the device;
  ///   ``AtRestError/Code/invalidArgument`` where it is a folder or a link.
  public func open(_ entry: Entry) throws -> ByteSource {
    let name = "\(entry.domain)/\(entry.path)"
    guard entry.kind == .file else {
      throw AtRestError(
        .invalidArgument, "\(name) is a \(entry.kind.rawValue), which has no contents.",
        remedy: "Open files alone.")
    }
    if isLocked {
      throw AtRestError(
        .locked, "\(name) is encrypted, and the backup is locked.",
        remedy: "Unlock it with the password of the backup.")
    }
    let found: (source: ByteSource, isHashed: Bool)?
    do {
      found = try Self.location(of: entry, in: storage)
    } catch {
      throw AtRestError(
        .system, "\(name) cannot be opened.", remedy: "Check that you may read the backup.",
        cause: error)
    }
    guard let found else {
      throw AtRestError(
        .notFound, "The backup lists \(name), but the file is missing.",
        remedy: "Copy the whole folder of the backup; one that was cut off has to be made again.")
    }
    // What lies under its own name was decrypted by the tool that put it there.
    guard let keys, found.isHashed else { return found.source }
    // Padding makes every ciphertext longer than its file, and an empty file has none.
    if !entry.isEncrypted, found.source.count == entry.size { return found.source }
    guard let wrapped = entry.wrappedKey, let keyClass = entry.protectionClass else {
      throw AtRestError.damagedBackup("The list has no key of \(name).")
    }
    if found.source.count == 0, entry.size == 0 { return found.source }
    let cipher = try keys.cipher(wrappedKey: wrapped, class: keyClass.rawValue, name: name)
    do {
      return try ByteSource.decrypting(found.source, with: cipher)
    } catch {
      throw AtRestError.damagedBackup("\(name) was modified or cut off.", cause: error)
    }
  }

  /// The first file of this domain and path.
  public func file(domain: String, path: String) -> Entry? {
    files.first { $0.path == path && $0.domain == domain && $0.kind == .file }
  }

  /// Where a file lies: `ab/abcdef…`, `abcdef…` in old backups, or below its domain.
  static func location(
    of entry: Entry, in storage: any BackupStorage
  ) throws -> (source: ByteSource, isHashed: Bool)? {
    if let fileID = entry.fileID {
      for path in ["\(fileID.prefix(2))/\(fileID)", fileID] {
        if let source = try storage.open(path) { return (source, true) }
      }
    }
    guard let parts = parts(of: entry) else { return nil }
    return try storage.open(parts.joined(separator: "/")).map { ($0, false) }
  }

  /// The domain and the parts of the path, or nil where they lead elsewhere than down.
  static func parts(of entry: Entry) -> [String]? {
    guard let domain = parts(ofDomain: entry.domain) else { return nil }
    // By bytes, as the system does: a slash with an accent is one character.
    let parts = entry.path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    return parts.allSatisfy(isName) ? domain + parts : nil
  }

  static func parts(ofDomain domain: String) -> [String]? { isName(domain) ? [domain] : nil }

  private static func isName(_ part: String) -> Bool {
    !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
      && !part.utf8.contains(0) && !part.utf8.contains(UInt8(ascii: "/"))
  }
}
