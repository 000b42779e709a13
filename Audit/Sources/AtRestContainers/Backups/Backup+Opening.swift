import AtRestCrypto
import AtRestFormats
import Foundation

extension Backup {
  /// Opens a file. An encrypted file is decrypted as it is read, so it is never in memory as a
  /// whole.
  ///
  /// Files are encrypted without authentication. A change is detected only if it affects the key or
  /// the padding.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the backup was not unlocked yet;
  ///   ``AtRestError/Code/notFound`` if the backup lists the file but does not contain it;
  ///   ``AtRestError/Code/damaged`` if its key or its end was changed;
  ///   ``AtRestError/Code/notPermitted`` if its class is bound to the device;
  ///   ``AtRestError/Code/invalidArgument`` if it is a folder or a link.
  public func open(_ entry: Entry) throws -> ByteSource {
    let name = "\(entry.domain)/\(entry.path)"
    guard entry.kind == .file else {
      throw AtRestError(
        .invalidArgument, "\(name) is a \(entry.kind.rawValue), which has no contents.",
        remedy: "Open only entries whose kind is “file”.")
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
        remedy: "Copy the whole backup folder. If the backup was interrupted, make it again.")
    }
    // A file under its own name was decrypted by the tool that extracted it, unless its size is
    // that of the ciphertext.
    guard let keys, found.isHashed || Self.isPadded(found.source.count, entry) else {
      return found.source
    }
    // Padding makes a ciphertext longer than its file. An empty file has no ciphertext.
    if !entry.isEncrypted, found.source.count == entry.size { return found.source }
    guard let wrapped = entry.wrappedKey, let keyClass = entry.protectionClass else {
      throw AtRestError.damagedBackup("The backup's list of files has no key for \(name).")
    }
    if found.source.count == 0, entry.size == 0 { return found.source }
    let cipher = try keys.cipher(wrappedKey: wrapped, class: keyClass.rawValue, name: name)
    do {
      return try ByteSource.decrypting(found.source, with: cipher)
    } catch {
      throw AtRestError.damagedBackup("\(name) was modified or cut off.", cause: error)
    }
  }

  /// True if a file is encrypted and there is no list with its key. ``open(_:)`` returns its
  /// ciphertext.
  func isCiphertext(_ entry: Entry) -> Bool {
    entry.isEncrypted && entry.fileID == nil && keys == nil
  }

  /// Returns true if the size of a file is that of its ciphertext, which is padded.
  static func isPadded(_ count: Int, _ entry: Entry) -> Bool {
    entry.wrappedKey != nil && count == entry.size &+ 16 - entry.size % 16
  }

  /// The first file with the given domain and path.
  public func file(domain: String, path: String) -> Entry? {
    files.first { $0.path == path && $0.domain == domain && $0.kind == .file }
  }

  /// Finds a file: `ab/abcdef…`, `abcdef…` in old backups, or its path below its domain.
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

  /// The domain and the parts of the path, or nil if they lead out of the folder.
  static func parts(of entry: Entry) -> [String]? {
    guard let domain = parts(ofDomain: entry.domain) else { return nil }
    // Split by bytes, as the system does. As characters, a slash with an accent would be one.
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
