import Crypto
import Foundation

/// The files and folders that a disk may have after a power loss.
struct DiskState {
  struct File {
    let path: String
    let data: Data
    let mode: Int
  }

  var folders: [String] = []
  var files: [File] = []

  /// A digest that distinguishes two states.
  var digest: Data {
    var hash = SHA256()
    for folder in folders { hash.update(data: Data("folder \(folder)\n".utf8)) }
    for file in files {
      hash.update(data: Data("file \(file.path) \(file.mode) \(file.data.count)\n".utf8))
      hash.update(data: file.data)
    }
    return Data(hash.finalize())
  }

  /// Creates the state in an empty folder.
  func write(to root: URL) throws {
    // A folder sorts before its contents.
    for folder in folders {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    }
    for file in files {
      let url = root.appendingPathComponent(file.path)
      try file.data.write(to: url)
      try FileManager.default.setAttributes(
        [.posixPermissions: file.mode], ofItemAtPath: url.path)
    }
  }
}
