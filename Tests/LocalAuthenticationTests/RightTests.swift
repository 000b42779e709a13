import AtRestCrypto
import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// Tests rights that the user grants, and rights that are stored with a secret.
@Suite struct RightTests {
  private func code(_ body: () async throws -> Void) async -> LAError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? LAError)?.code
    }
  }

  @Test func theUserGrantsARight() async throws {
    let device = try phone()
    try await device.run {
      let right = LARight(requirement: .biometry)
      #expect(right.state == .unknown)
      try await right.checkCanAuthorize()
      #expect(device.user.prompts.isEmpty)
      try await right.authorize(localizedReason: "Show")
      #expect(right.state == .authorized)
      #expect(device.user.prompts == [.biometry(reason: "Show")])
      await right.deauthorize()
      #expect(right.state == .notAuthorized)
      device.user.will(.cancel)
      #expect(await code { try await right.authorize(localizedReason: "Show") } == .userCancel)
      #expect(right.state == .notAuthorized)
    }
  }

  @Test func aSecretIsReadOnlyAfterTheUserAuthorizedTheRight() async throws {
    let device = try phone()
    try await device.run {
      let store = LARightStore.shared
      _ = try await store.saveRight(
        LARight(requirement: .biometryCurrentSet), identifier: "notes", secret: Data([1, 2]))
      let right = try await store.right(forIdentifier: "notes")
      #expect(device.user.prompts.isEmpty)
      #expect(await code { _ = try await right.secret.rawData } == .notInteractive)
      try await right.authorize(localizedReason: "Open")
      #expect(try await right.secret.rawData == Data([1, 2]))
      #expect(device.user.prompts.count == 1)
      await right.deauthorize()
      #expect(await code { _ = try await right.secret.rawData } != nil)
    }
  }

  @Test func aSecretOutlivesItsRight() async throws {
    let device = try phone()
    try await device.run {
      _ = try await LARightStore.shared.saveRight(
        LARight(), identifier: "a", secret: Data([1]))
      func authorizedSecret() async throws -> LASecret {
        let right = try await LARightStore.shared.right(forIdentifier: "a")
        try await right.authorize(localizedReason: "Open")
        return right.secret
      }
      let secret = try await authorizedSecret()
      #expect(try await secret.rawData == Data([1]))
      let loaded: Data? = await withCheckedContinuation { continuation in
        secret.loadData { data, _ in continuation.resume(returning: data) }
      }
      #expect(loaded == Data([1]))
    }
  }

  @Test(arguments: [Data(), Data([1])])
  func anotherFingerDoesNotAuthorizeAStoredRight(secret: Data) async throws {
    let device = try phone()
    try await device.run {
      let store = LARightStore.shared
      for (name, requirement) in [
        ("current", LAAuthenticationRequirement.biometryCurrentSet), ("any", .biometry),
      ] {
        _ = try await store.saveRight(
          LARight(requirement: requirement), identifier: name, secret: secret)
        let right = try await store.right(forIdentifier: name)
        // Control: the finger that was enrolled is accepted.
        try await right.authorize(localizedReason: "Open")
        #expect(right.state == .authorized)
      }
      device.enrolBiometry(.touchID)
      for (name, expected) in [("current", LAError.Code.biometryNotEnrolled), ("any", nil)] {
        let right = try await store.right(forIdentifier: name)
        #expect(await code { try await right.authorize(localizedReason: "Open") } == expected)
        #expect(right.state == (expected == nil ? .authorized : .notAuthorized))
      }
    }
  }

  @Test func aRightIsReplacedAndRemoved() async throws {
    let device = try phone()
    try await device.run {
      let store = LARightStore.shared
      for byte in [UInt8(1), 2] {
        _ = try await store.saveRight(LARight(), identifier: "a", secret: Data([byte]))
      }
      let right = try await store.right(forIdentifier: "a")
      try await right.authorize(localizedReason: "Open")
      #expect(try await right.secret.rawData == Data([2]))
      try await store.removeRight(right)
      await #expect {
        _ = try await store.right(forIdentifier: "a")
      } throws: {
        ($0 as? AtRestError)?.code == .notFound
      }
      _ = try await store.saveRight(LARight(), identifier: "b")
      try await store.removeAllRights()
      #expect(try await device.keychain().count() == 0)
    }
  }
}
