import AtRestFormats
import Foundation
import Testing

/// Files kept beside the tests: `iLEAPP` from public reference images, `Made` written by other tools.
enum Fixture {
  private static let folder = Bundle.module.bundleURL.appending(path: "Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try data(path)) }

  static func source(_ path: String) throws -> ByteSource {
    try ByteSource(file: folder.appending(path: path).path)
  }

  /// The files of a zip of a reference image.
  static func image(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let archive = try ZipArchive(source("iLEAPP/\(name).zip"))
    return try archive.entries.filter { !$0.name.hasSuffix("/") }.map {
      ($0.name, [UInt8](try archive.read($0, limit: 1 << 24)))
    }
  }

  /// The rows that iLEAPP reads from such a zip.
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
