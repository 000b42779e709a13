#if canImport(AtRestSimulation)
  import AtRestSimulation
  import KeychainLogin
  import LocalAuthentication
  import Testing

  @Suite struct LockedPhoneTests {
    private let logins = LoginStore()
    private let key = SessionKey()

    @Test func inTheBackgroundLoginsAreReadAndTheSessionKeyIsNot() throws {
      let phone = try phone()
      try phone.run {
        try logins.save(login, of: "eva")
        try key.make()
        phone.lock()
        #expect(try logins.login(of: "eva") == login)
        #expect(throws: KeychainRefusal.locked) { try key.read(LAContext()) }
        #expect(phone.user.prompts.isEmpty)
        try phone.unlock()
        #expect(try key.read(LAContext()).count == 32)
      }
    }

    @Test func beforeTheFirstUnlockALoginIsLockedAndNotMissing() throws {
      let phone = try phone()
      try phone.run {
        try logins.save(login, of: "eva")
        try phone.restart()
        #expect(throws: KeychainRefusal.locked) { try logins.login(of: "eva") }
        #expect(throws: KeychainRefusal.locked) { try logins.save(login, of: "eva") }
        // Control: a missing login is not found.
        #expect(throws: KeychainRefusal.notFound) { try logins.login(of: "adam") }
        try phone.unlock()
        #expect(try logins.login(of: "eva") == login)
      }
    }

    @Test func aLockedPhoneCanLogOut() throws {
      let phone = try phone()
      try phone.run {
        try logins.save(login, of: "eva")
        try key.make()
        phone.lock()
        try logins.wipe()
        try key.remove()
        try phone.unlock()
        #expect(try logins.users() == [])
        #expect(throws: KeychainRefusal.notFound) { try key.read(LAContext()) }
      }
    }
  }
#endif
