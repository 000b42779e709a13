import AtRestContainers
import AtRestFormats
import Foundation

/// A backup in memory.
struct MemoryBackupStorage: BackupStorage {
  var files: [String: Data]

  func open(_ path: String) throws(FormatError) -> ByteSource? {
    files[path].map { ByteSource([UInt8]($0)) }
  }

  func list(limit: Int) -> (files: [BackupStorageFile], skipped: [Skip]) {
    let files = files.map { BackupStorageFile(path: $0.key, size: $0.value.count) }
    return (files.sorted { $0.path < $1.path }, [])
  }
}
