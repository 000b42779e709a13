import Foundation
import Security
import Testing

/// Tests rows that were modified without the keychain.
@Suite struct DamageTests {
  private static let columns = ["metadata", "key", "secret"]

  /// Creates a store with the items a, which is damaged, and b.
  private func store(damaging column: String) throws -> FolderStore {
    let store = try FolderStore()
    store.run {
      #expect(add(password("a")) == errSecSuccess)
      #expect(add(password("b", value: "whole")) == errSecSuccess)
    }
    try store.edit(
      "UPDATE item SET \(column) = zeroblob(length(\(column))) "
        + "WHERE id = (SELECT min(id) FROM item)")
    return store
  }

  @Test(arguments: columns)
  func theValueOfADamagedRowIsNeitherGivenNorMissing(column: String) throws {
    try store(damaging: column).run {
      // A call that requests only the value does not read the metadata.
      let asked: Request =
        column == "metadata"
        ? [kSecReturnData: true, kSecReturnAttributes: true] : [kSecReturnData: true]
      let found = find(query("a", asked))
      #expect(found.status == errSecDecode && found.result == nil)
    }
  }

  @Test(arguments: columns)
  func aDamagedRowHidesNoOther(column: String) throws {
    try store(damaging: column).run {
      #expect(value(query("b")) == "whole")
      let all: Request = [
        kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true,
        kSecMatchLimit: kSecMatchLimitAll,
      ]
      let found = find(all).result as? [[String: Any]]
      #expect(found?.contains { $0["acct"] as? String == "b" } == true)
    }
  }

  @Test(arguments: columns)
  func addingOverADamagedRowSucceedsAndUpdatingItFails(column: String) throws {
    try store(damaging: column).run {
      #expect(update(query("a"), [kSecValueData: Data("new".utf8)]) == errSecDecode)
      #expect(add(password("a", value: "new")) == errSecSuccess)
      #expect(value(query("a")) == "new")
      // Control: adding over an undamaged row fails.
      #expect(add(password("b")) == errSecDuplicateItem)
    }
  }

  @Test func swappedSecretsAreNoticed() throws {
    let store = try FolderStore()
    store.run { for account in ["a", "b"] { #expect(add(password(account)) == errSecSuccess) } }
    try store.edit(
      """
      CREATE TEMP TABLE former AS SELECT id, key, secret FROM item;
      UPDATE item SET (key, secret) =
        (SELECT key, secret FROM former WHERE former.id <> item.id);
      """)
    store.run {
      for account in ["a", "b"] {
        #expect(find(query(account, [kSecReturnData: true])).status == errSecDecode)
      }
    }
  }

  @Test func attributesAreHadWithoutOpeningASecret() throws {
    try store(damaging: "secret").run {
      #expect(attributes(query("a"))?["acct"] as? String == "a")
      #expect(exists(query("a")) == errSecSuccess)
    }
  }
}
