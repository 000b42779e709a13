import AtRest
import Testing

@Suite struct ReexportTests {
  @Test func oneImportNamesTheStores() {
    let names: [Any.Type] = [
      PublicKey.self, Keybag.self, Keychain.self, ProtectedFiles.self, Redactor.self, Envelope.self,
    ]
    #expect(names.count == 6)
  }
}
