import AtRestFormats
import Foundation

/// A backup in a folder. Symbolic links in it are not followed, and nothing in it is modified.
package struct FolderBackupStorage: BackupStorage {
  private static let depthLimit = 128
  private let root: String

  /// Creates a storage for a folder.
  ///
  /// - Parameter folder: The path of the folder. If it is a symbolic link, it is followed.
  package init(_ folder: String) { root = folder }

  package func open(_ path: String) throws(FormatError) -> ByteSource? {
    var whole = root
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) {
      whole += "/\(part)"
      var status = stat()
      guard lstat(whole, &status) == 0 else {
        if errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG { return nil }
        throw FormatError("\(path) cannot be opened: \(String(cString: strerror(errno))).")
      }
      guard status.st_mode & S_IFMT != S_IFLNK else {
        throw FormatError("\(path) is or contains a symbolic link, which is not followed.")
      }
    }
    return try ByteSource(file: whole)
  }

  package func folders() -> [String] {
    names(in: "").filter { status(of: $0).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }.sorted()
  }

  package func files(
    in folder: String, limit: Int
  ) -> (files: [BackupStorageFile], skipped: [Skip]) {
    var files: [BackupStorageFile] = []
    var skipped: [Skip] = []
    var pending: [(path: String, depth: Int)] = [(folder, 0)]
    while let (folder, depth) = pending.popLast() {
      guard depth < Self.depthLimit else {
        skipped.append(Skip(path: folder, reason: "The folder is nested too deeply."))
        continue
      }
      for name in names(in: folder, &skipped) {
        let path = "\(folder)/\(name)"
        guard let status = status(of: path) else {
          skipped.append(Skip(path: path, reason: "The file or folder cannot be opened."))
          continue
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: pending.append((path, depth + 1))
        case S_IFREG:
          guard files.count < limit else {
            let reason = "The files from here on are skipped, because there are too many."
            skipped.append(Skip(path: path, reason: reason))
            return (files, skipped)
          }
          files.append(
            BackupStorageFile(path: path, size: Int(status.st_size), modified: status.modified))
        default:
          skipped.append(Skip(path: path, reason: "This is not a regular file, and is not opened."))
        }
      }
    }
    return (files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }, skipped)
  }

  private func status(of path: String) -> stat? {
    var status = stat()
    return lstat("\(root)/\(path)", &status) == 0 ? status : nil
  }

  private func names(in folder: String) -> [String] {
    var skipped: [Skip] = []
    return names(in: folder, &skipped)
  }

  private func names(in folder: String, _ skipped: inout [Skip]) -> [String] {
    guard let stream = opendir("\(root)/\(folder)") else {
      skipped.append(Skip(path: folder, reason: "The folder cannot be opened."))
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(validatingCString: $0) }
      }
      guard let name else {
        skipped.append(Skip(path: folder, reason: "A name in the folder is not UTF-8."))
        continue
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
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
