import Foundation

/// Foundation's own calls, for a module that shadows them with calls of the same names.
package enum PlainFile {
  package static func write(_ data: Data, to url: URL, _ options: Data.WritingOptions) throws {
    try data.write(to: url, options: options)
  }

  package static func read(_ url: URL, _ options: Data.ReadingOptions) throws -> Data {
    try Data(contentsOf: url, options: options)
  }

  package static func text(_ url: URL, _ encoding: String.Encoding) throws -> String {
    try String(contentsOf: url, encoding: encoding)
  }

  package static func text(_ url: URL, used encoding: inout String.Encoding) throws -> String {
    try String(contentsOf: url, usedEncoding: &encoding)
  }

  package static func text(_ url: URL) throws -> String {
    // This is what the deprecated `String(contentsOf:)` does.
    try NSString(contentsOf: url, usedEncoding: nil) as String
  }

  package static func write(
    _ text: some StringProtocol, to url: URL, atomically: Bool, _ encoding: String.Encoding
  ) throws {
    try text.write(to: url, atomically: atomically, encoding: encoding)
  }

  package static func contents(atPath path: String, _ manager: FileManager) -> Data? {
    manager.contents(atPath: path)
  }

  package static func create(
    atPath path: String, _ contents: Data?, _ attributes: [FileAttributeKey: Any]?,
    _ manager: FileManager
  ) -> Bool {
    manager.createFile(atPath: path, contents: contents, attributes: attributes)
  }

  package static func createFolder(
    at url: URL, intermediates: Bool, _ attributes: [FileAttributeKey: Any]?,
    _ manager: FileManager
  ) throws {
    try manager.createDirectory(
      at: url, withIntermediateDirectories: intermediates, attributes: attributes)
  }

  package static func createFolder(
    atPath path: String, intermediates: Bool, _ attributes: [FileAttributeKey: Any]?,
    _ manager: FileManager
  ) throws {
    try manager.createDirectory(
      atPath: path, withIntermediateDirectories: intermediates, attributes: attributes)
  }

  package static func attributes(
    atPath path: String, _ manager: FileManager
  ) throws -> [FileAttributeKey: Any] {
    try manager.attributesOfItem(atPath: path)
  }

  package static func set(
    _ attributes: [FileAttributeKey: Any], atPath path: String, _ manager: FileManager
  ) throws {
    try manager.setAttributes(attributes, ofItemAtPath: path)
  }
}
