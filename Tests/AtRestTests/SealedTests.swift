import AtRest
import AtRestSimulation
import Foundation
import Synchronization
import Testing

private struct Settings: Codable, Hashable, Sendable {
  var limit = 500
  var rate = 0.1
  var tags: [String] = ["a/b", "ü"]
  var nested: [String: Bool?] = ["on": true]
  var large = UInt64.max
  var when = Date(timeIntervalSince1970: 1_700_000_000.25)
  var blob = Data([0, 1, 2])
}

@Suite struct SealedTests {
  private let device: SimulatedDevice
  private let keychain: Keychain
  private let sealer: ValueSealer

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    keychain = try device.keychain()
    sealer = ValueSealer(keychain)
  }

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  private func open(_ sealed: Sealed<Settings>, name: String = "settings") throws -> Settings {
    try sealer.open(sealed, name: name)
  }

  /// Changes the JSON as a person or an attacker would.
  private func edited(
    _ sealed: Sealed<Settings>, _ change: (inout [String: Any]) -> Void
  ) throws -> Sealed<Settings> {
    var object = try #require(
      JSONSerialization.jsonObject(with: sealed.json()) as? [String: Any])
    change(&object)
    return try Sealed(json: JSONSerialization.data(withJSONObject: object))
  }

  @Test func aValueComesBackAndStaysReadable() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    #expect(try open(sealed) == Settings())
    let text = String(decoding: try sealed.json(), as: UTF8.self)
    #expect(text.contains("\"limit\" : 500"))
    #expect(text.contains("a/b"))
    #expect(try open(Sealed(json: sealed.json())) == Settings())
    // Any JSON coder can encode it.
    let coded = try JSONEncoder().encode(["s": sealed])
    let decoded = try JSONDecoder().decode([String: Sealed<Settings>].self, from: coded)
    #expect(try open(#require(decoded["s"])) == Settings())
  }

  @Test func spacingAndOrderMayChange() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    #expect(try open(edited(sealed) { _ in }) == Settings())
  }

  @Test func aChangedValueIsRefused() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    let changes: [(inout [String: Any]) -> Void] = [
      { $0["limit"] = 501 }, { $0["limit"] = "500" }, { $0["limit"] = 500.5 },
      { $0["rate"] = 0.2 }, { $0["tags"] = ["ü", "a/b"] }, { $0["tags"] = ["a/b"] },
      { $0["nested"] = ["on": false] }, { $0["nested"] = ["off": true] },
      { $0["nested"] = [String: Bool]() },
      // A member that the type does not know, but a person would read.
      { $0["limitOverride"] = 9999 },
    ]
    for change in changes {
      let changed = try edited(sealed) { object in
        var value = object["value"] as? [String: Any] ?? [:]
        change(&value)
        object["value"] = value
      }
      #expect(code { _ = try open(changed) } == .damaged)
    }
  }

  @Test func aChangedSealIsRefused() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    let changes: [(String, Any)] = [
      ("name", "others"), ("type", "Others"), ("counter", 2), ("method", "ed25519"),
      ("key", "0000000000000000"), ("code", Data(count: 32).base64EncodedString()),
      ("code", ""), ("version", 2),
    ]
    for (key, value) in changes {
      let changed = try edited(sealed) { object in
        var seal = object["seal"] as? [String: Any] ?? [:]
        seal[key] = value
        object["seal"] = seal
      }
      #expect(code { _ = try open(changed) } != nil, "\(key)")
    }
  }

  @Test func aValueMovedToAnotherNameIsRefused() throws {
    let mine = try sealer.seal(Settings(limit: 1), name: "settings.mine")
    _ = try sealer.seal(Settings(limit: 2), name: "settings.theirs")
    #expect(code { _ = try open(mine, name: "settings.theirs") } == .damaged)
    #expect(try open(mine, name: "settings.mine").limit == 1)
  }

  @Test func aValueOfAnotherTypeIsRefused() throws {
    struct Other: Codable, Sendable { var limit: Int }
    let sealed = try sealer.seal(Settings(), name: "settings")
    let other = try Sealed<Other>(json: sealed.json())
    #expect(code { _ = try sealer.open(other, name: "settings") } == .damaged)
    // A type name that the program chooses outlives a renaming.
    let labelled = try sealer.seal(Settings(), name: "settings", type: "settings.v1")
    let renamed = try Sealed<Other>(json: labelled.json())
    #expect(try sealer.open(renamed, name: "settings", type: "settings.v1").limit == 500)
  }

  // MARK: Replay

  @Test func anOlderValueIsFoundOut() throws {
    let old = try sealer.seal(Settings(limit: 1), name: "settings")
    #expect(try open(old).limit == 1)
    let new = try sealer.seal(Settings(limit: 2), name: "settings")
    #expect(code { _ = try open(old) } == .rolledBack)
    #expect(try open(new).limit == 2)
    // This includes the same value again, which was stamped before.
    _ = try sealer.seal(Settings(limit: 1), name: "settings")
    #expect(code { _ = try open(old) } == .rolledBack)
    // Another name does not affect it.
    _ = try sealer.seal(Settings(limit: 3), name: "others")
    #expect(code { _ = try open(new) } == .rolledBack)
  }

  @Test func oneNamesCounterLeavesOthersAlone() throws {
    let mine = try sealer.seal(Settings(limit: 1), name: "settings")
    for _ in 0..<3 { _ = try sealer.seal(Settings(limit: 2), name: "others") }
    #expect(try open(mine).limit == 1)
  }

  @Test func anOlderValueIsAcceptedOnPurposeAndNewerOnesAreNotAfter() throws {
    let old = try sealer.seal(Settings(limit: 1), name: "settings")
    let new = try sealer.seal(Settings(limit: 2), name: "settings")
    #expect(try sealer.open(old, name: "settings", acceptingOlder: true).limit == 1)
    #expect(try open(old).limit == 1)
    #expect(code { _ = try open(new) } == .rolledBack)
    let next = try sealer.seal(Settings(limit: 3), name: "settings")
    #expect(next.seal.counter == 3)
    #expect(code { _ = try open(new) } == .rolledBack)
  }

  @Test func acceptingOlderAcceptsNothingThatWasChanged() throws {
    let sealed = try sealer.seal(Settings(limit: 1), name: "settings")
    let changed = try edited(sealed) { $0["value"] = ["limit": 2] }
    #expect(
      code { _ = try sealer.open(changed, name: "settings", acceptingOlder: true) } == .damaged)
  }

  @Test func aSaveThatFailsLeavesTheOldValue() throws {
    struct Full: Error {}
    let old = try sealer.seal(Settings(limit: 1), name: "settings")
    #expect(throws: Full.self) {
      try sealer.seal(Settings(limit: 2), name: "settings") { _ in throw Full() }
    }
    #expect(try open(old).limit == 1)
  }

  @Test func whatWasSavedBeforeACrashOpensAndEndsTheOld() throws {
    struct Crash: Error {}
    let old = try sealer.seal(Settings(limit: 1), name: "settings")
    var saved: Sealed<Settings>?
    #expect(throws: Crash.self) {
      try sealer.seal(Settings(limit: 2), name: "settings") {
        saved = $0
        throw Crash()
      }
    }
    let new = try #require(saved)
    #expect(try open(new).limit == 2)
    #expect(code { _ = try open(old) } == .rolledBack)
  }

  @Test func oneOfTwoWithTheSameCounterOpens() throws {
    struct Crash: Error {}
    var saved: Sealed<Settings>?
    #expect(throws: Crash.self) {
      try sealer.seal(Settings(limit: 1), name: "settings") {
        saved = $0
        throw Crash()
      }
    }
    let lost = try #require(saved)
    let present = try sealer.seal(Settings(limit: 2), name: "settings")
    #expect(lost.seal.counter == present.seal.counter)
    #expect(try open(present).limit == 2)
    #expect(code { _ = try open(lost) } == .rolledBack)
  }

  // MARK: Keys

  @Test func anotherKeyDoesNotOpen() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    let other = ValueSealer(keychain, keyName: "other")
    _ = try other.seal(Settings(), name: "settings")
    #expect(code { _ = try other.open(sealed, name: "settings") } == .authenticationFailed)
    #expect(try open(sealed) == Settings())
  }

  @Test func openingMakesNeitherKeyNorCounter() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    let other = try SimulatedDevice(passcode: "1234").keychain()
    let elsewhere = ValueSealer(other)
    #expect(code { _ = try elsewhere.open(sealed, name: "settings") } == .notFound)
    #expect(try other.count() == 0)
  }

  @Test func aLockedKeychainNeitherSealsNorOpens() throws {
    let sealed = try sealer.seal(Settings(), name: "settings")
    device.lock()
    #expect(code { _ = try open(sealed) } == .locked)
    #expect(code { _ = try sealer.seal(Settings(), name: "settings") } == .locked)
  }

  @Test(arguments: [KeyAlgorithm.p256, .ed25519])
  func aKeyPairSealsToo(_ algorithm: KeyAlgorithm) throws {
    try keychain.generateKey(algorithm, tag: "sealing")
    let signer = ValueSealer(keychain, tag: "sealing")
    let old = try signer.seal(Settings(limit: 1), name: "settings")
    #expect(try signer.open(old, name: "settings").limit == 1)
    #expect(old.seal.method == algorithm.defaultSignatureScheme?.name)
    let changed = try edited(old) { $0["value"] = ["limit": 2] }
    #expect(code { _ = try signer.open(changed, name: "settings") } == .damaged)
    _ = try signer.seal(Settings(limit: 2), name: "settings")
    #expect(code { _ = try signer.open(old, name: "settings") } == .rolledBack)
    // The HMAC key and the key pair cannot replace each other.
    #expect(code { _ = try sealer.open(old, name: "settings") } == .notFound)
    let sealed = try sealer.seal(Settings(), name: "settings")
    #expect(code { _ = try signer.open(sealed, name: "settings") } == .authenticationFailed)
    #expect(code { _ = try sealer.open(old, name: "settings") } == .authenticationFailed)
  }

  // MARK: Values

  @Test func whatIsNoJSONIsRefused() throws {
    #expect(code { _ = try sealer.seal(Double.nan, name: "n") } == .invalidArgument)
    let long = try #require(Decimal(string: "0.12345678901234567890123456789"))
    #expect(code { _ = try sealer.seal(long, name: "n") } == .invalidArgument)
    for text in ["", "{}", "[]", "{\"value\":1}", "{\"value\":1,\"seal\":{}}", "no"] {
      #expect(code { _ = try Sealed<Int>(json: Data(text.utf8)) } == .damaged)
    }
  }

  @Test func numbersOfAnySizeComeBack() throws {
    for number in [0, -0.0, 1, -1, 1.5, 1e-300, 1e300, .pi, .greatestFiniteMagnitude] {
      let sealed = try sealer.seal([number], name: "number")
      #expect(try sealer.open(Sealed<[Double]>(json: sealed.json()), name: "number") == [number])
    }
    for number in [Int64.min, Int64.max] {
      let sealed = try sealer.seal([number], name: "number")
      #expect(try sealer.open(Sealed<[Int64]>(json: sealed.json()), name: "number") == [number])
    }
  }

  @Test func setsComeBackInWhicheverOrder() throws {
    let names = Set((0..<50).map(String.init))
    let sealed = try sealer.seal(names, name: "names")
    #expect(try sealer.open(Sealed<Set<String>>(json: sealed.json()), name: "names") == names)
  }

  // MARK: Several at once

  @Test func ofManyWhoSealAtOnceOneIsThePresentValue() async throws {
    let all = try await withThrowingTaskGroup(of: Sealed<Settings>.self) { group in
      for limit in 0..<8 {
        group.addTask { try await sealer.seal(Settings(limit: limit), name: "settings") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(all.map(\.seal.counter)) == Set(1...8))
    let opened = all.filter { sealed in code { _ = try open(sealed) } == nil }
    #expect(opened.map(\.seal.counter) == [8])
  }

  @Test func theAsynchronousFormsDoTheSame() async throws {
    let saved = Mutex<Sealed<Settings>?>(nil)
    try await sealer.seal(Settings(), name: "settings") { sealed in
      saved.withLock { $0 = sealed }
    }
    let sealed = try #require(saved.withLock { $0 })
    let opened = try await sealer.open(sealed, name: "settings")
    #expect(opened == Settings())
  }
}
