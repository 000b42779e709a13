import AtRestContainers
import AtRestFormats
import Foundation

/// The files of a backup in memory.
struct MemoryBackupStorage: BackupStorage {
  var files: [String: Data]

  func open(_ path: String) throws(FormatError) -> ByteSource? {
    files[path].map { ByteSource([UInt8]($0)) }
  }

  func folders() -> [String] {
    Set(files.keys.compactMap { path in path.firstIndex(of: "/").map { String(path[..<$0]) } })
      .sorted()
  }

  func files(in folder: String, limit: Int) -> (files: [BackupStorageFile], skipped: [Skip]) {
    let files = files.filter { $0.key.hasPrefix("\(folder)/") }.map {
      BackupStorageFile(path: $0.key, size: $0.value.count)
    }
    return (files.sorted { $0.path < $1.path }, [])
  }
}
