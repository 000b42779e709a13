import AtRestCrypto
import AtRestKeychain
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

  @Test func aRightWithoutASecretHasNone() async throws {
    let device = try phone()
    try await device.run {
      let store = LARightStore.shared
      for (name, secret) in [("none", nil), ("empty", Data())] {
        let right =
          if let secret {
            try await store.saveRight(LARight(), identifier: name, secret: secret)
          } else {
            try await store.saveRight(LARight(), identifier: name)
          }
        try await right.authorize(localizedReason: "Open")
        // Control: an empty secret is one.
        #expect(
          await code { _ = try await right.secret.rawData }
            == (secret == nil ? .invalidContext : nil))
      }
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
      #expect(await code { _ = try await store.right(forIdentifier: "a") } == .invalidContext)
      _ = try await store.saveRight(LARight(), identifier: "b")
      try await store.removeAllRights()
      #expect(try device.keychain().count() == 0)
    }
  }

  @Test func aLockedDeviceFindsNoRight() async throws {
    let device = try phone()
    try await device.run {
      let store = LARightStore.shared
      _ = try await store.saveRight(LARight(), identifier: "a")
      device.lock()
      #expect(await code { _ = try await store.right(forIdentifier: "a") } == .notInteractive)
      #expect(
        await code { _ = try await store.saveRight(LARight(), identifier: "b") } == .notInteractive)
    }
  }

  @Test func theItemsOfTheApplicationAreNoRights() async throws {
    let device = try phone()
    try await device.run {
      let store = LARightStore.shared
      let keychain = try device.keychain()
      try await keychain.add(
        .genericPassword(service: "mail", account: "eva"), secret: SecretBytes(utf8: "x"))
      _ = try await store.saveRight(LARight(), identifier: "a", secret: Data([1]))
      let all = KeychainQuery(.genericPassword, synchronizable: .any)
      // The search does not ask for the secret of the right.
      #expect(try await keychain.items(matching: all, secrets: true).count == 1)
      #expect(device.user.prompts.isEmpty)
      #expect(try keychain.delete(matching: all) == 1)
      let right = try await store.right(forIdentifier: "a")
      try await right.authorize(localizedReason: "Open")
      #expect(try await right.secret.rawData == Data([1]))
      try await store.removeAllRights()
      #expect(try keychain.count() == 0)
    }
    // The rights of another application are others.
    try await device.run {
      _ = try await LARightStore.shared.saveRight(LARight(), identifier: "a")
    }
    await device.run(as: ApplicationIdentity("com.example.other")) {
      #expect(
        await code { _ = try await LARightStore.shared.right(forIdentifier: "a") }
          == .invalidContext)
    }
  }

  @Test func closuresReceiveTheSame() async throws {
    let device = try phone()
    await device.run {
      let store = LARightStore.shared
      let right = LARight()
      func error(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async -> LAError? {
        await withCheckedContinuation { continuation in
          call { continuation.resume(returning: $0 as? LAError) }
        }
      }
      func stored(
        _ call: (@escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void) -> Void
      ) async -> (LAPersistedRight?, LAError?) {
        await withCheckedContinuation { continuation in
          call { continuation.resume(returning: ($0, $1 as? LAError)) }
        }
      }
      #expect(await error { right.checkCanAuthorize(completion: $0) } == nil)
      #expect(await error { right.authorize(localizedReason: "Show", completion: $0) } == nil)
      #expect(right.state == .authorized)
      await withCheckedContinuation { continuation in
        right.deauthorize { continuation.resume() }
      }
      #expect(right.state == .notAuthorized)
      #expect(
        await error { right.authorize(localizedReason: "", completion: $0) }?.code
          == .invalidContext)
      let saved = await stored {
        store.saveRight(right, identifier: "a", secret: Data([1]), completion: $0)
      }
      #expect(saved.0 != nil && saved.1 == nil)
      #expect(await stored { store.saveRight(right, identifier: "b", completion: $0) }.0 != nil)
      let found = await stored { store.right(forIdentifier: "a", completion: $0) }.0
      #expect(found != nil)
      if let found { #expect(await error { store.removeRight(found, completion: $0) } == nil) }
      let missing = await stored { store.right(forIdentifier: "a", completion: $0) }
      #expect(missing.0 == nil && missing.1?.code == .invalidContext)
      #expect(await error { store.removeRight(forIdentifier: "b", completion: $0) } == nil)
      #expect(await error { store.removeAllRights(completion: $0) } == nil)
    }
  }
}
