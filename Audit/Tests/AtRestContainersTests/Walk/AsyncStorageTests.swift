import AtRestContainers
import AtRestFormats
import Crypto
import Foundation
import Testing

/// React Native's AsyncStorage: a list of keys, and a file for each long value.
@Suite struct AsyncStorageTests {
  private static let folder = "Documents/RCTAsyncLocalStorage_V1"

  private func hash(_ key: String) -> String {
    Insecure.MD5.hash(data: Data(key.utf8)).map { String(format: "%02x", $0) }.joined()
  }

  private func places(_ files: [String: [UInt8]]) throws -> [String] {
    let canary = try Canary(name: "1", value: "vq1-canary")
    return try ContainerScan(ContainerSource(files: files), canaries: [canary]).run().discoveries
      .map { "\($0.locator) named \($0.name ?? "")" }
  }

  @Test func aLongValueHasItsKey() throws {
    let name = hash("persist:root")
    let files: [String: [UInt8]] = [
      "\(Self.folder)/manifest.json": Array(#"{"persist:root": null, "theme": "dark"}"#.utf8),
      "\(Self.folder)/\(name)": Array(#"{"user": {"note": "vq1-canary"}}"#.utf8),
    ]
    #expect(
      try places(files) == ["\(Self.folder)/\(name) › persist:root › user.note named note"])
  }

  @Test func aShortValueIsInTheList() throws {
    let list = #"{"draft": "{\"note\": \"vq1-canary\"}"}"#
    #expect(
      try places(["\(Self.folder)/manifest.json": Array(list.utf8)]) == [
        "\(Self.folder)/manifest.json › draft › json › note named note"
      ])
  }

  /// A file that the list does not name keeps the name that it has.
  @Test func withoutItsKeyAFileIsAFile() throws {
    let name = hash("other")
    for list in [#"{"theme": null}"#, "{", #"{"other": "in the list"}"#] {
      let files: [String: [UInt8]] = [
        "\(Self.folder)/manifest.json": Array(list.utf8),
        "\(Self.folder)/\(name)": Array("vq1-canary".utf8),
      ]
      #expect(try places(files) == ["\(Self.folder)/\(name) › line 1 named "])
    }
  }
}
