import AtRestSimulation
import Foundation
import Security
import Testing

/// Compares the answer for each attribute and each type of value with a table that was written from
/// Apple's sources.
///
/// `Fixtures/apple-types.tsv` names the file and line of each row. Where this module deliberately answers
/// differently, the column *here* has its status, and `docs/Porting.md` the reason.
@Suite struct AppleTypeTests {
  struct Row {
    let attributes: [String]
    let value: String
    let apple: OSStatus
    /// The attributes for which this module answers differently, and its status.
    let others: Set<String>
    let here: OSStatus
    let evidence: String

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 5, let apple = OSStatus(fields[2]) else { return nil }
      attributes = fields[0].split(separator: " ").map(String.init)
      value = fields[1]
      self.apple = apple
      let own = fields[3].split(separator: " ").map(String.init)
      here = own.first.flatMap { OSStatus($0) } ?? apple
      others = Set(own.dropFirst())
      evidence = fields[4]
    }

    /// An object of the type.
    var object: Any {
      switch value {
      case "string": "eva"
      case "decimal": "8080"
      case "empty string": ""
      case "UTF-8": Data("eva".utf8)
      case "data": Data([0xff, 0xfe])
      case "empty data": Data()
      case "number": 7
      case "large": Int64(1) << 40
      case "whole": 80.0
      case "fraction": 1.5
      case "Boolean": true
      case "date": Date(timeIntervalSinceReferenceDate: 0)
      case "null": NSNull()
      case "array": [1]
      case "dictionary": ["a": 1]
      case "accessibility": kSecAttrAccessibleWhenUnlocked
      case "accessibility data": Data("ak".utf8)
      default: NSUUID()
      }
    }
  }

  private static func rows() throws -> [Row] {
    let text = String(decoding: try Fixture.data("apple-types.tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Row($0) }
  }

  @Test func theTableIsWhole() throws {
    let rows = try Self.rows()
    #expect(rows.count == 144)
    #expect(Set(rows.flatMap(\.attributes)).count > 50)
  }

  @Test(arguments: ["genp", "inet", "keys", "cert"])
  func everyTypeIsAnsweredAsInApplesSources(itemClass: String) throws {
    try onDevice { _ in
      for row in try Self.rows() {
        for attribute in row.attributes {
          let key = attribute as CFString
          let query: Request = [kSecClass: itemClass, key: row.object]
          let comment: Comment = "\(itemClass) \(attribute) \(row.value): \(row.evidence)"
          // An attribute that the class does not have is refused, whatever its value.
          let found = exists(query)
          if found == errSecNoSuchAttr { continue }
          let status = row.others.contains(attribute) ? row.here : row.apple
          let expected = status == errSecSuccess ? errSecItemNotFound : status
          // The texts are no access group of the application.
          let isForeign = attribute == "agrp" && status == errSecSuccess
          #expect(found == (isForeign ? errSecMissingEntitlement : expected), comment)
          #expect(update(query, [kSecAttrLabel: "x"]) == found, comment)
          #expect(delete(query) == found, comment)
        }
      }
    }
  }
}
