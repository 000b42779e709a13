import AtRest
import Foundation
import Testing

/// Equal names are one name, however they are encoded. Long names are refused, not truncated.
@Suite struct NameTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test func ofAnAccountIsOneInBothForms() throws {
    let test = try TestVault()
    let vault = try test.open()
    try vault.logIn(composed).store("hers", in: .note)
    #expect(try vault.logIn(decomposed).value(in: .note) == "hers")
    try vault.logIn(decomposed).logOut()
    #expect(try vault.accounts.isEmpty)
  }

  @Test func ofARecordIsOneInBothForms() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: VaultRecord(composed, .document))
    #expect(try eva.value(in: VaultRecord<String>(decomposed, .document)) == "text")
    #expect(try eva.contents.count == 1)
    try eva.preferences(named: "p" + composed).set(1, forKey: "size")
    #expect(
      try test.open().logIn("eva").preferences(named: "p" + decomposed).integer(forKey: "size")
        == 1)
    #expect(try eva.remove(decomposed))
    #expect(try !eva.contains(VaultRecord<String>(composed, .document)))
  }

  @Test func ofAKindMayNotBeLongerThanIsRead() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    func record(_ count: Int) -> VaultRecord<String> {
      VaultRecord("note", DataKind(String(repeating: "k", count: count), .consumerGrade))
    }
    try eva.store("text", in: record(1_024))
    #expect(try eva.value(in: .note) == "text")
    expect(.invalidArgument) { try eva.store("other", in: record(1_025)) }
    #expect(try eva.value(in: .note) == "text")
  }

  @Test(arguments: ["\u{0}", "../../x", "a/b", "\u{202E}x", "👩‍👩‍👧", "value.", "registry"])
  func mayBeAnything(name: String) throws {
    let test = try TestVault()
    let eva = try test.open().logIn(name)
    try eva.store("text", in: VaultRecord(name, .document))
    try eva.store(Data(count: 20_000), in: VaultRecord(name + "2", .document))
    #expect(try eva.value(in: VaultRecord<String>(name, .document)) == "text")
    #expect(try eva.contents.map(\.name).sorted() == [name, name + "2"].sorted())
    #expect(try eva.vault.accounts == [name])
  }
}
