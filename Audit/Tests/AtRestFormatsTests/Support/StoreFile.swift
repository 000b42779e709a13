import AtRestFormats
import Foundation

/// A store of the fixtures of `AtRestContainersTests`, which the scripts `make-*-fixtures.py` wrote.
enum StoreFile {
  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../AtRestContainersTests/Fixtures/Stores/typed")
    return [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  static func type(_ bytes: [UInt8]) throws -> FileType { try FileType.read(ByteSource(bytes)) }
}
