import AtRestSimulation
import Foundation
import Security
import Testing

/// Compares each form of a search with a table that was written from Apple's sources.
///
/// `Fixtures/apple-copy.tsv` names the file and line of the rule for each cell: class × kind of
/// result × limit × state of the item × full primary key or a part of it.
@Suite struct AppleTableTests {
  struct Rule {
    let classes, shapes, limits, states, keys: Set<String>
    let status: OSStatus
    let result: String
    let evidence: String

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 8, let status = OSStatus(fields[5]) else { return nil }
      func set(_ field: String) -> Set<String> { Set(field.split(separator: "|").map(String.init)) }
      (classes, shapes, limits) = (set(fields[0]), set(fields[1]), set(fields[2]))
      (states, keys) = (set(fields[3]), set(fields[4]))
      self.status = status
      (result, evidence) = (fields[6], fields[7])
    }

    func covers(_ cell: Cell) -> Bool {
      func isIn(_ set: Set<String>, _ name: String) -> Bool {
        set.contains("*") || set.contains(name)
      }
      return isIn(classes, cell.itemClass) && isIn(shapes, cell.shape) && isIn(limits, cell.limit)
        && isIn(states, cell.state) && isIn(keys, cell.key)
    }
  }

  struct Cell {
    let itemClass, shape, limit, state, key: String
  }

  static let classes = ["genp", "inet", "cert", "keys", "idnt"]
  static let shapes = [
    "nothing", "data", "attributes", "reference", "persistent", "data+attributes",
  ]
  static let limits = ["none", "one", "all", "number"]
  static let states = [
    "present", "present+uifail", "present+uiskip", "absent", "absent+locked", "locked",
    "locked+uifail", "locked+uiskip", "open", "acl+ok", "acl+cancel", "acl+fail", "acl+uifail",
    "acl+uiskip", "acl+context", "acl+locked", "acl+locked+uiskip",
  ]

  private static func rules() throws -> [Rule] {
    let text = String(decoding: try Fixture.data("apple-copy.tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Rule($0) }
  }

  @Test(arguments: classes, states)
  func everyFormIsAsInApplesSources(_ itemClass: String, _ state: String) throws {
    let rules = try Self.rules()
    let stage = try AppleStage(itemClass, state)
    for shape in Self.shapes {
      for limit in Self.limits {
        for key in ["full", "partial"] {
          let cell = Cell(
            itemClass: itemClass, shape: shape, limit: limit, state: state, key: key)
          let rule = try #require(rules.first { $0.covers(cell) })
          let (status, result) = stage.find(cell)
          let comment: Comment = "\(itemClass) \(shape) \(limit) \(state) \(key): \(rule.evidence)"
          #expect(status == rule.status, comment)
          #expect(result == rule.result, comment)
        }
      }
    }
  }
}
