#if canImport(KeychainTesting)
  import Foundation
  import KeychainLogin
  import KeychainTesting
  import LocalAuthentication
  import Testing

  /// Tests what becomes of a login and a session key, each on a phone of its own.
  @Suite(.signedIn) struct PhoneEventTests {
    private let logins = LoginStore()
    private let key = SessionKey()

    @Test(.lockedPhone) func inThePocketOnlyTheLoginIsRead() throws {
      #expect(try logins.login(of: "eva") == login)
      #expect(throws: KeychainRefusal.locked) { try key.read(LAContext()) }
    }

    @Test(.reenrolled) func anotherFingerEndsTheSession() throws {
      #expect(try logins.login(of: "eva") == login)
      #expect(throws: KeychainRefusal.notRecognized) { try key.read(LAContext()) }
    }

    @Test(.restoredElsewhere) func anotherPhoneIsSignedOut() throws {
      #expect(throws: KeychainRefusal.notFound) { try logins.login(of: "eva") }
      #expect(throws: KeychainRefusal.notFound) { try key.read(LAContext()) }
    }

    @Test(.user(.cancel)) func aDismissedPromptEndsNothing() throws {
      #expect(throws: KeychainRefusal.canceled) { try key.read(LAContext()) }
      try SimulatedDevice.current.user.will(.comply)
      #expect(try key.read(LAContext()).count == 32)
    }
  }

  extension Trait where Self == PhoneTrait {
    fileprivate static var signedIn: Self {
      .given {
        try LoginStore().save(login, of: "eva")
        try SessionKey().make()
      }
    }
  }
#endif
