#if canImport(AtRestSimulation)
  import AtRestSimulation
  import Foundation
  import KeychainLogin
  import LocalAuthentication
  import Testing

  @Suite struct SessionKeyTests {
    private let key = SessionKey()

    @Test func oneFingerIsEnoughForAContext() throws {
      let phone = try phone()
      try phone.run {
        try key.make()
        #expect(phone.user.prompts.isEmpty)
        let context = LAContext()
        context.localizedReason = "Open your letters"
        let first = try key.read(context)
        #expect(try key.read(context) == first)
        #expect(phone.user.prompts == [.biometry(reason: "Open your letters")])
        _ = try key.read(LAContext())
        #expect(phone.user.prompts.count == 2)
      }
    }

    @Test func eachKeyIsAnother() throws {
      try phone().run {
        try key.make()
        let former = try key.read(LAContext())
        try key.make()
        #expect(try key.read(LAContext()) != former)
      }
    }

    @Test func aDismissedPromptIsNoRefusalForGood() throws {
      let phone = try phone()
      try phone.run {
        try key.make()
        phone.user.will(.cancel, .fail, .comply)
        #expect(throws: KeychainRefusal.canceled) { try key.read(LAContext()) }
        #expect(throws: KeychainRefusal.notRecognized) { try key.read(LAContext()) }
        #expect(try key.read(LAContext()).count == 32)
      }
    }

    @Test func withAnotherFingerEnrolledTheKeyIsDead() throws {
      let phone = try phone()
      try phone.run {
        try key.make()
        phone.enrolBiometry()
        #expect(throws: KeychainRefusal.notRecognized) { try key.read(LAContext()) }
        // The user then logs in, and the application creates a new key.
        try key.make()
        #expect(try key.read(LAContext()).count == 32)
      }
    }

    @Test func withoutPasscodeThereIsNoKey() throws {
      let phone = try phone()
      let logins = LoginStore()
      try phone.run {
        try key.make()
        try logins.save(login, of: "eva")
        try phone.removePasscode()
        #expect(throws: KeychainRefusal.notFound) { try key.read(LAContext()) }
        #expect(try logins.login(of: "eva") == login)
        #expect(throws: KeychainRefusal.notRecognized) { try key.make() }
      }
    }
  }
#endif
