import AtRestCrypto
import Foundation

/// A folder into which files are written, and never outside it.
///
/// Each part of a path is opened relative to the folder before it, and no symbolic link is
/// followed, so changes that others make to the folder meanwhile cannot redirect a file.
final class OutputFolder: Sendable {
  private let descriptor: Int32

  /// Opens the folder, and creates it for the user alone if it does not exist. If the path is a
  /// symbolic link, it is followed.
  init(_ path: String) throws(AtRestError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.refused(path) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.refused(path) }
  }

  deinit { close(descriptor) }

  /// Creates a folder and its parents.
  func makeFolders(_ parts: [String]) throws(AtRestError) {
    let folder = try openFolders(parts[...])
    if folder != descriptor { close(folder) }
  }

  /// Creates a file completely or not at all. An existing file of this name is replaced, but not a
  /// folder.
  ///
  /// A power cut may lose the last files, because waiting for the disk after each file would take
  /// minutes.
  ///
  /// - Parameter chunk: Returns the next bytes, or an empty array at the end.
  func makeFile(
    _ parts: [String], modified: Date?, _ chunk: () throws(AtRestError) -> [UInt8]
  ) throws(AtRestError) {
    guard let name = parts.last else { return }
    let whole = parts.joined(separator: "/")
    let folder = try openFolders(parts.dropLast())
    defer { if folder != descriptor { close(folder) } }
    let unfinished = ".atrest-\(UUID().uuidString)"
    let file = openat(
      folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.refused(whole) }
    defer { close(file) }
    do throws(AtRestError) {
      while true {
        let bytes = try chunk()
        if bytes.isEmpty { break }
        try Self.append(bytes, to: file, whole)
      }
      if let modified { Self.set(modified, of: file) }
      guard renameat(folder, unfinished, folder, name) == 0 else {
        throw Self.refused(whole)
      }
    } catch {
      unlinkat(folder, unfinished, 0)
      throw error
    }
  }

  private func openFolders(_ folders: ArraySlice<String>) throws(AtRestError) -> Int32 {
    var current = descriptor
    for (index, name) in folders.enumerated() {
      let made = mkdirat(current, name, 0o700) == 0 || errno == EEXIST
      let next =
        made ? openat(current, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
      let failure = errno
      if current != descriptor { close(current) }
      guard next >= 0 else {
        errno = failure
        throw Self.refused(folders.prefix(index + 1).joined(separator: "/"))
      }
      current = next
    }
    return current
  }

  private static func append(
    _ bytes: [UInt8], to file: Int32, _ name: String
  ) throws(AtRestError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        write(file, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw refused(name) }
      offset += written
    }
  }

  private static func set(_ modified: Date, of file: Int32) {
    // Dates far in the past or future do not fit. The file is complete without them.
    guard let seconds = Int(exactly: modified.timeIntervalSince1970.rounded(.down)) else { return }
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    _ = withUnsafePointer(to: (time, time)) { pointer in
      pointer.withMemoryRebound(to: timespec.self, capacity: 2) { futimens(file, $0) }
    }
  }

  private static func refused(_ path: String) -> AtRestError {
    let isLink = errno == ELOOP || errno == ENOTDIR
    return AtRestError(
      .system,
      isLink
        ? "“\(path)” in the output folder is a link or a file, but must be a folder."
        : "“\(path)” cannot be written: \(String(cString: strerror(errno))).",
      remedy: "Give a new folder that you may write to, on a disk with free space.")
  }
}
