// The mark at the end would be moved out of the sample.
// swift-format-ignore-file
#if canImport(KeychainTesting)
  // sample: test a phone
  import Foundation
  import KeychainTesting
  import SignIn
  import Testing

  @Suite(.given { try SignIn().register() }) struct SignInTests {
    private let challenge = Data("challenge".utf8)

    @Test func theFingerThatRegisteredSigns() {
      #expect(SignIn().signature(for: challenge)?.count == 64)
    }

    @Test(.reenrolled) func anotherFingerDoesNot() {
      #expect(SignIn().signature(for: challenge) == nil)
    }

    @Test(.lockedPhone) func aPhoneInThePocketDoesNot() throws {
      #expect(SignIn().signature(for: challenge) == nil)
      try SimulatedDevice.current.unlock()
      #expect(SignIn().signature(for: challenge) != nil)
    }
  }
  // sample: end
#endif
