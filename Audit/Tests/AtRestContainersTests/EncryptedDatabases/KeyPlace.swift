import Foundation
import Testing

@testable import AtRestContainers

/// A place in which apps keep the key of a database, with the file that has it.
struct KeyPlace: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let path: String
  let contents: @Sendable (_ key: [UInt8]) -> [UInt8]

  static func hex(_ key: [UInt8]) -> String { key.map { String(format: "%02x", $0) }.joined() }

  static let all = [
    KeyPlace("bytes in preferences", "Library/Preferences/a.plist") {
      Array(
        BinaryList.dictionary([("name", .string("x")), ("databaseKey", .data(Data($0)))]).encoded)
    },
    KeyPlace("hexadecimal digits in preferences", "Library/Preferences/a.plist") {
      Array(BinaryList.dictionary([("k", .string(hex($0)))]).encoded)
    },
    KeyPlace("Base64 in JSON", "Documents/a.json") {
      Array(#"{"settings": {"k": "\#(Data($0).base64EncodedString())"}}"#.utf8)
    },
    KeyPlace("SQLCipher's statement in a log", "Documents/app.log") {
      Array("12:00 opened\n12:01 PRAGMA key = \"x'\(hex($0))'\"\n12:02 done\n".utf8)
    },
    KeyPlace("a key and a salt", "Documents/app.log") {
      Array("key x'\(hex($0))\(hex(Array(repeating: 7, count: 16)))'\n".utf8)
    },
    KeyPlace("a file of its bytes", "Library/Application Support/.k") { $0 },
    KeyPlace("a file of its digits", "Documents/k.txt") { Array(hex($0).utf8) },
    KeyPlace("a list of numbers", "Documents/a.json") {
      Array(#"{"k": "[\#($0.map(String.init).joined(separator: ", "))]"}"#.utf8)
    },
    KeyPlace("bytes in a database", "Documents/settings.db") {
      var database = DatabaseFile()
      database.add(
        table: "settings", "CREATE TABLE settings (name TEXT, value BLOB)",
        rows: [[.text("k"), .blob(Data($0))]])
      return Array(database.bytes)
    },
    KeyPlace("XML in an app's files", "Bank.app/Config.plist") {
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>k</key><data>\(Data($0).base64EncodedString())</data></dict></plist>
        """.utf8)
    },
  ]

  private init(
    _ testDescription: String, _ path: String, _ contents: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    self.testDescription = testDescription
    self.path = path
    self.contents = contents
  }
}
