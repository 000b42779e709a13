import Foundation

/// Calls of Foundation itself. This file imports nothing else.
enum Plain {
  static func write(_ data: Data, to url: URL, options: Data.WritingOptions = []) throws {
    try data.write(to: url, options: options)
  }

  static func read(_ url: URL) throws -> Data { try Data(contentsOf: url) }

  static func create(_ path: String, _ data: Data, _ attributes: [FileAttributeKey: Any]) -> Bool {
    FileManager.default.createFile(atPath: path, contents: data, attributes: attributes)
  }

  static func set(_ attributes: [FileAttributeKey: Any], _ path: String) throws {
    try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
  }
}
