import AtRestSimulation
import Foundation
import Security
import Testing

/// Compares additions, updates and deletions with a table that was written from Apple's sources.
///
/// `Fixtures/apple-changes.tsv` names the file and line of the rule for each cell: call × class × state of
/// the item × full primary key or a part of it. Where this module deliberately answers differently, the
/// column *here* has its status, and `docs/Porting.md` the reason.
@Suite struct AppleChangeTests {
  struct Rule {
    let call, itemClass, state, key: String
    let status: OSStatus
    let evidence: String

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 7, let apple = OSStatus(fields[4]) else { return nil }
      (call, itemClass, state, key) = (fields[0], fields[1], fields[2], fields[3])
      status = OSStatus(fields[5]) ?? apple
      evidence = fields[6]
    }

    func covers(_ call: String, _ itemClass: String, _ state: String, _ key: String) -> Bool {
      self.call == call && self.state == state && ["*", itemClass].contains(self.itemClass)
        && ["*", key].contains(self.key)
    }
  }

  private static func rules() throws -> [Rule] {
    let text = String(decoding: try Fixture.data("apple-changes.tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Rule($0) }
  }

  private func count(_ stage: AppleStage) throws -> Int {
    try stage.device.keychain(as: .owner()).count()
  }

  /// Calls a closure with each state of a call that the table contains for a class, and its rule.
  private func forEachCell(
    _ call: String, _ itemClass: String, keys: [String],
    _ body: (AppleStage, String, Rule, Comment) throws -> Void
  ) throws {
    let rules = try Self.rules()
    for state in Set(rules.filter { $0.call == call }.map(\.state)).sorted() {
      for key in keys {
        let rule = try #require(rules.first { $0.covers(call, itemClass, state, key) })
        try body(
          AppleStage(itemClass, state), key, rule,
          "\(call) \(itemClass) \(state) \(key): \(rule.evidence)")
      }
    }
  }

  @Test(arguments: ["genp", "inet", "cert", "keys"])
  func everyAdditionIsAsInApplesSources(itemClass: String) throws {
    try forEachCell("add", itemClass, keys: ["full"]) { stage, _, rule, comment in
      var item = stage.plain
      item[kSecAttrAccessible] =
        rule.state.contains("once")
        ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleWhenUnlocked
      let before = try count(stage)
      let status = stage.device.run { add(stage.asking(item)) }
      #expect(status == rule.status, comment)
      let after = try count(stage)
      #expect(after == before + (status == errSecSuccess ? 1 : 0), comment)
    }
  }

  @Test(arguments: AppleTableTests.classes)
  func everyUpdateIsAsInApplesSources(itemClass: String) throws {
    try forEachCell("update", itemClass, keys: ["full", "partial"]) { stage, key, rule, comment in
      var changes: [Request] = [[kSecAttrLabel: "Leaf"], [:]]
      if ["genp", "inet"].contains(itemClass) { changes.append([kSecValueData: Data([2])]) }
      for change in changes {
        let status = stage.device.run {
          update(stage.asking(key == "full" ? stage.full : stage.partial), change)
        }
        #expect(status == rule.status, comment)
      }
    }
  }

  @Test(arguments: AppleTableTests.classes)
  func everyDeletionIsAsInApplesSources(itemClass: String) throws {
    try forEachCell("delete", itemClass, keys: ["full", "partial"]) { stage, key, rule, comment in
      let before = try count(stage)
      let status = stage.device.run {
        delete(stage.asking(key == "full" ? stage.full : stage.partial))
      }
      #expect(status == rule.status, comment)
      let deleted = status == errSecSuccess ? (itemClass == "idnt" ? 2 : 1) : 0
      let after = try count(stage)
      #expect(after == before - deleted, comment)
    }
  }
}
