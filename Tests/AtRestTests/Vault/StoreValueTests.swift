import AtRest
import Foundation
import Testing

@Suite struct StoreValueTests {
  struct Address: Codable, Equatable {
    var street: String
    var number: Int
  }
  let place = VaultRecord<Address>("address", .document)

  @Test func givesBackWhatWasStored() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: .note)
    try eva.store(Data([1, 2, 3]), in: .report)
    try eva.store(Address(street: "Main", number: 7), in: place)
    #expect(try eva.value(in: .note) == "text")
    #expect(try eva.value(in: .report) == Data([1, 2, 3]))
    #expect(try eva.value(in: place) == Address(street: "Main", number: 7))
    #expect(try eva.secret(in: .report).isEqual(to: SecretBytes([1, 2, 3])))
  }

  @Test func replacesWhatWasThere() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    for number in 0..<3 { try eva.store("\(number)", in: .note) }
    #expect(try eva.value(in: .note) == "2")
    #expect(try eva.contents.map(\.name) == ["note"])
  }

  @Test func keepsAccountsApart() throws {
    let test = try TestVault()
    let vault = try test.open()
    try vault.logIn("eva").store("hers", in: .note)
    try vault.device.store("of all", in: .note)
    #expect(try vault.logIn("eva").value(in: .note) == "hers")
    #expect(try vault.device.value(in: .note) == "of all")
    expect(.notFound) {
      _ = try vault.logIn("ada").value(in: .note)
    }
    #expect(try vault.accounts.sorted() == ["ada", "eva"])
  }

  @Test func refusesAnotherType() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("no address at all", in: VaultRecord("address", .document))
    let error = #expect(throws: AtRestError.self) { _ = try eva.value(in: place) }
    #expect(error?.code == .invalidArgument)
    #expect("\(String(describing: error))".contains("no address at all") == false)
  }

  @Test func removesAValueOnce() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: .note)
    #expect(try eva.remove(VaultRecord<String>.note))
    #expect(try !eva.remove(VaultRecord<String>.note))
    #expect(try !eva.contains(VaultRecord<String>.note))
  }

  @Test func survivesOpeningAgain() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store("text", in: .note)
    let again = try test.open()
    #expect(again.launch == .further)
    #expect(try again.logIn("eva").value(in: .note) == "text")
  }

  @Test func worksOffTheActor() async throws {
    let test = try TestVault()
    let vault = try await Vault.open(
      in: test.folder, keychain: test.device.keychain(), options: test.options)
    let eva = try await vault.logIn("eva")
    try await eva.store("text", in: .note)
    #expect(try await eva.value(in: .note) == "text")
    try await eva.logOut()
    #expect(try vault.accounts == [])
  }
}
