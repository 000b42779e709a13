import AtRestFormats
import Foundation
import Testing

/// Files beside the tests. `iLEAPP` has files of public reference images, and `Made` has files that
/// other tools wrote.
enum Fixture {
  private static let folder = Bundle.module.bundleURL.appending(path: "Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try data(path)) }

  static func source(_ path: String) throws -> ByteSource {
    try ByteSource(file: folder.appending(path: path).path)
  }

  /// Returns the files in the zip of a reference image.
  static func image(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let archive = try ZipArchive(source("iLEAPP/\(name).zip"))
    return try archive.entries.filter { !$0.name.hasSuffix("/") }.map {
      ($0.name, [UInt8](try archive.read($0, limit: 1 << 24)))
    }
  }

  /// Returns the rows that iLEAPP reads from the zip of a reference image.
  static func rows(_ name: String) throws -> [[any Sendable]] {
    struct Golden: Decodable { let data: [[Cell]] }
    return try JSONDecoder().decode(Golden.self, from: data("iLEAPP/\(name).json")).data
      .map { $0.map(\.value) }
  }

  private struct Cell: Decodable {
    let value: any Sendable

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        value = number
      } else {
        value = try container.decode(String?.self) ?? ""
      }
    }
  }
}
