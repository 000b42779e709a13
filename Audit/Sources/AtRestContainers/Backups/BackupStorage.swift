import AtRestFormats
import Foundation

/// Where the files of a backup lie: a folder, or an archive of one.
///
/// It is asked from several threads at once.
public protocol BackupStorage: Sendable {
  /// Opens a file of the backup; nil where there is none.
  ///
  /// - Parameter path: Below the backup, with `/` between its parts; never with `.` or `..`.
  /// - Throws: ``FormatError`` if it is there and cannot be opened.
  func open(_ path: String) throws(FormatError) -> ByteSource?

  /// The regular files, at most `limit` of them, and what could not be listed.
  func list(limit: Int) -> (files: [BackupStorageFile], skipped: [Skip])
}

/// A file as it lies in a ``BackupStorage``.
public struct BackupStorageFile: Hashable, Sendable {
  /// Below the backup, with `/` between its parts.
  public let path: String
  /// In bytes.
  public let size: Int
  public let modified: Date?

  public init(path: String, size: Int, modified: Date? = nil) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}

/// A backup in a folder. No symbolic link below it is followed, and nothing in it is altered.
public struct FolderBackupStorage: BackupStorage {
  private static let depthLimit = 128
  private let root: String

  /// - Parameter folder: Its path; a link that the user names is followed.
  public init(_ folder: String) { root = folder }

  public func open(_ path: String) throws(FormatError) -> ByteSource? {
    var whole = root
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) {
      whole += "/\(part)"
      var status = stat()
      guard lstat(whole, &status) == 0 else {
        if errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG { return nil }
        throw FormatError("\(path) cannot be opened: \(String(cString: strerror(errno))).")
      }
      guard status.st_mode & S_IFMT != S_IFLNK else {
        throw FormatError("\(path) is, or lies behind, a symbolic link, which is not followed.")
      }
    }
    return try ByteSource(file: whole)
  }

  public func list(limit: Int) -> (files: [BackupStorageFile], skipped: [Skip]) {
    var files: [BackupStorageFile] = []
    var skipped: [Skip] = []
    var pending: [(path: String, depth: Int)] = [("", 0)]
    while let (folder, depth) = pending.popLast() {
      guard depth < Self.depthLimit, let stream = opendir("\(root)/\(folder)") else {
        let reason = "The folder lies too deep, or cannot be opened."
        skipped.append(Skip(path: folder, reason: reason))
        continue
      }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(validatingCString: $0) }
        }
        guard let name else {
          skipped.append(Skip(path: folder, reason: "A name in the folder is not UTF-8."))
          continue
        }
        if name == "." || name == ".." { continue }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        var status = stat()
        guard lstat("\(root)/\(path)", &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: pending.append((path, depth + 1))
        case S_IFREG where files.count < limit:
          files.append(
            BackupStorageFile(path: path, size: Int(status.st_size), modified: status.modified))
        case S_IFREG:
          let reason = "The files from here on are left out: there are more than \(limit)."
          skipped.append(Skip(path: path, reason: reason))
          return (files, skipped)
        default:
          skipped.append(Skip(path: path, reason: "It is no regular file, and is not opened."))
        }
      }
    }
    return (files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }, skipped)
  }
}

extension stat {
  fileprivate var modified: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
  }
}
