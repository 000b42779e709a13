import AtRestFormats
import Foundation

/// The files in a folder and its subfolders, or a single file.
///
/// Symbolic links are not followed, and pipes, sockets and devices are not opened. Both are
/// reported. Nothing is written, and access times are not restored.
package struct FolderTree: FileTree {
  private static let depthLimit = 128

  private let root: String
  private let single: String?

  /// Opens a folder or a file.
  ///
  /// - Parameter path: A folder or a regular file. If the path is a symbolic link, it is followed.
  /// - Throws: ``FormatError`` if the path is neither, or cannot be opened.
  package init(_ path: String) throws(FormatError) {
    guard let resolved = realpath(path, nil) else {
      throw FormatError("“\(path)” cannot be opened: \(String(cString: strerror(errno))).")
    }
    defer { free(resolved) }
    let whole = String(cString: resolved)
    var status = stat()
    guard lstat(whole, &status) == 0 else {
      throw FormatError("“\(path)” cannot be opened: \(String(cString: strerror(errno))).")
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      root = whole
      single = nil
    case S_IFREG:
      // Split by bytes, as the system does. In Swift, a slash with a combining accent is one
      // character.
      let name =
        whole.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? whole
      root = String(Substring(whole.utf8.dropLast(name.utf8.count + 1)))
      single = name
    default: throw FormatError("“\(path)” is neither a folder nor a regular file.")
    }
  }

  package func list(limit: Int) throws(FormatError) -> FileListing {
    if let single {
      guard let status = status(of: single) else {
        throw FormatError("The file no longer exists.")
      }
      return FileListing(files: [file(single, status, isExcluded: false)])
    }
    var listing = FileListing()
    var pending: [(path: String, depth: Int, isExcluded: Bool)] = [("", 0, false)]
    while let (folder, depth, isOuterExcluded) = pending.popLast() {
      guard depth < Self.depthLimit else {
        listing.problems.append(WalkProblem(Locator(folder), "The folder is nested too deeply."))
        continue
      }
      let isExcluded = isOuterExcluded || BackupExclusion.marks(whole(folder))
      var folders: [(path: String, depth: Int, isExcluded: Bool)] = []
      for name in names(in: folder, &listing.problems) {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        guard let status = status(of: path) else {
          let reason = "The file or folder cannot be opened: \(String(cString: strerror(errno)))."
          listing.problems.append(WalkProblem(Locator(path), reason))
          continue
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append((path, depth + 1, isExcluded))
        case S_IFREG:
          guard listing.files.count < limit else {
            let reason = "The files from here on are skipped, because there are more than \(limit)."
            listing.problems.append(WalkProblem(Locator(path), reason))
            return listing
          }
          listing.files.append(file(path, status, isExcluded: isExcluded))
        case S_IFLNK:
          listing.problems.append(
            WalkProblem(Locator(path), "The symbolic link is not followed."))
        default:
          let reason = "This is a pipe, a socket or a device, and is not opened."
          listing.problems.append(WalkProblem(Locator(path), reason))
        }
      }
      pending += folders.reversed()
    }
    return listing
  }

  package func open(_ file: TreeFile) throws(FormatError) -> FileContents {
    .random(try ByteSource(file: whole(file.path)))
  }

  private func whole(_ path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }

  private func status(of path: String) -> stat? {
    var status = stat()
    return lstat(whole(path), &status) == 0 ? status : nil
  }

  private func file(_ path: String, _ status: stat, isExcluded: Bool) -> TreeFile {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    return TreeFile(
      path: path, size: Int(status.st_size), modified: Date(timeIntervalSince1970: seconds),
      isExcludedFromBackups: isExcluded || BackupExclusion.marks(whole(path)))
  }

  /// The sorted names in a folder, so that every walk has the same order.
  private func names(in folder: String, _ problems: inout [WalkProblem]) -> [String] {
    guard let stream = opendir(whole(folder)) else {
      let reason = "The folder cannot be opened: \(String(cString: strerror(errno)))."
      problems.append(WalkProblem(Locator(folder), reason))
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(validatingCString: $0) }
      }
      if let name {
        if name != ".", name != ".." { names.append(name) }
      } else {
        let reason = "A file or folder in this folder is skipped, because its name is not UTF-8."
        problems.append(WalkProblem(Locator(folder), reason))
      }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
