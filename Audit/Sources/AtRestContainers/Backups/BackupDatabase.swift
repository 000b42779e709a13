import AtRestFormats
import Foundation

/// `Manifest.db`, the list of files of backups since iOS 10, with a row of the table `Files` for
/// each.
enum BackupDatabase {
  /// Returns true if the file begins like a SQLite database. An encrypted database does not.
  static func isDatabase(_ source: ByteSource) throws(FormatError) -> Bool {
    SQLiteFile.isSQLite(try source.prefix(16))
  }

  /// Reads the readable entries, and reports the others.
  static func entries(
    of source: ByteSource, wal: ByteSource? = nil
  ) throws(FormatError) -> (entries: [Backup.Entry], skipped: [Skip]) {
    let database = try SQLiteFile(source, wal: wal, path: "Manifest.db")
    guard let table = database.table("Files") else {
      throw FormatError("Manifest.db has no table Files.")
    }
    let names = ["fileid", "domain", "relativepath", "flags", "file"]
    let columns = names.compactMap { name in
      table.columns.firstIndex { $0.name.lowercased() == name }
    }
    guard columns.count == names.count else {
      throw FormatError("The table Files of Manifest.db lacks columns.")
    }
    var entries: [Backup.Entry] = []
    var skipped: [Skip] = []
    var isFull = false
    let unread = database.forEachRow(of: table) { row in
      guard entries.count < Backup.fileLimit else {
        isFull = true
        return
      }
      func value(_ index: Int) -> SQLiteValue {
        row.values.indices.contains(columns[index]) ? row.values[columns[index]] : .null
      }
      do throws(FormatError) {
        let (entry, reason) = try entry(
          fileID: value(0), domain: value(1), path: value(2), flags: value(3), record: value(4))
        entries.append(entry)
        if let reason {
          skipped.append(Skip(path: "\(entry.domain)/\(entry.path)", reason: reason))
        }
      } catch {
        let reason = "Row \(row.rowID ?? 0) of Files: \(error.message)"
        skipped.append(Skip(path: "Manifest.db", reason: reason))
      }
    }
    if isFull {
      let reason = "Files after the first \(Backup.fileLimit) are skipped."
      skipped.append(Skip(path: "Manifest.db", reason: reason))
    }
    return (entries, database.skipped + unread + skipped)
  }

  private static func entry(
    fileID: SQLiteValue, domain: SQLiteValue, path: SQLiteValue, flags: SQLiteValue,
    record: SQLiteValue
  ) throws(FormatError) -> (Backup.Entry, reason: String?) {
    guard let name = fileID.string, name.utf8.count == 40,
      name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw FormatError("The name of the file is not a SHA-1 in hexadecimal digits.") }
    guard let domain = domain.string, let path = path.string, case .integer(let flags) = flags
    else {
      throw FormatError("The domain, the path or the flags of the file are missing.")
    }
    let kind: Backup.Entry.Kind
    switch flags {
    case 1: kind = .file
    case 2: kind = .folder
    case 4: kind = .link
    default: throw FormatError("The flags \(flags) do not mean a file, a folder or a link.")
    }
    var reason: String?
    if name != Backup.fileID(domain: domain, path: path) {
      reason = "Its name \(name) does not match its domain and path: one of them was changed."
    }
    var file: BackupFileRecord?
    if case .blob(let archive) = record {
      do { file = try BackupFileRecord(Array(archive)) } catch { reason = error.message }
    } else {
      reason = "The manifest has only the name of the file."
    }
    var key: Data?
    if let prefixed = file?.encryptionKey {
      // The class before the key is also in the record.
      key = Data(prefixed.dropFirst(4))
      if prefixed.count != 44 { reason = "The file's key is damaged." }
    }
    let protectionClass = file?.protectionClass.flatMap { $0 == 0 ? nil : $0 }
    let entry = Backup.Entry(
      domain: domain, path: path, kind: kind, size: file?.size ?? 0, modified: file?.modified,
      protectionClass: protectionClass.map { Backup.ProtectionClass(rawValue: $0) },
      isEncrypted: key != nil, target: file?.target, fileID: name, wrappedKey: key)
    return (entry, reason)
  }
}
