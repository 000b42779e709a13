#if canImport(AtRestSimulation)
  import AtRestKeychain
  import AtRestSimulation
  import KeychainLogin
  import Security
  import Testing

  @Suite struct ExtensionTests {
    private let group = "TEAM.com.example.mail"
    // These groups correspond to the entitlements.
    private let app = ApplicationIdentity(
      "TEAM.com.example.mail.app", keychainAccessGroups: ["TEAM.com.example.mail"])
    private let widget = ApplicationIdentity(
      "TEAM.com.example.mail.widget", keychainAccessGroups: ["TEAM.com.example.mail"])
    private let stranger = ApplicationIdentity("OTHER.com.example.weather")

    @Test func anExtensionReadsWhatTheApplicationShares() throws {
      let phone = try phone()
      let shared = LoginStore(group: group)
      try phone.run(as: app) { try shared.save(login, of: "eva") }
      let read = try phone.run(as: widget) { try shared.login(of: "eva") }
      #expect(read == login)
      #expect(throws: KeychainRefusal.other(errSecMissingEntitlement)) {
        try phone.run(as: stranger) { try shared.login(of: "eva") }
      }
      // A query without a group does not reveal that the item exists.
      #expect(throws: KeychainRefusal.notFound) {
        try phone.run(as: stranger) { try LoginStore().login(of: "eva") }
      }
    }

    @Test func whatIsTheApplicationsOwnStaysItsOwn() throws {
      let phone = try phone()
      try phone.run(as: app) {
        try LoginStore(group: "TEAM.com.example.mail.app").save(login, of: "eva")
        #expect(try LoginStore().login(of: "eva") == login)
      }
      #expect(throws: KeychainRefusal.notFound) {
        try phone.run(as: widget) { try LoginStore().login(of: "eva") }
      }
    }
  }
#endif
