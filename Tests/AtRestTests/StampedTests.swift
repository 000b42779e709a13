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

@Suite struct StampedTests {
  private let device: SimulatedDevice
  private let keychain: Keychain
  private let stamper: ValueStamper

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    keychain = try device.keychain()
    stamper = ValueStamper(keychain)
  }

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  private func open(_ stamped: Stamped<Settings>, name: String = "settings") throws -> Settings {
    try stamper.open(stamped, name: name)
  }

  /// Changes the JSON as a person or an attacker would.
  private func edited(
    _ stamped: Stamped<Settings>, _ change: (inout [String: Any]) -> Void
  ) throws -> Stamped<Settings> {
    var object = try #require(
      JSONSerialization.jsonObject(with: stamped.json()) as? [String: Any])
    change(&object)
    return try Stamped(json: JSONSerialization.data(withJSONObject: object))
  }

  @Test func aValueComesBackAndStaysReadable() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    #expect(try open(stamped) == Settings())
    let text = String(decoding: try stamped.json(), as: UTF8.self)
    #expect(text.contains("\"limit\" : 500"))
    #expect(text.contains("a/b"))
    #expect(try open(Stamped(json: stamped.json())) == Settings())
    // Any JSON coder can encode it.
    let coded = try JSONEncoder().encode(["s": stamped])
    let decoded = try JSONDecoder().decode([String: Stamped<Settings>].self, from: coded)
    #expect(try open(#require(decoded["s"])) == Settings())
  }

  @Test func spacingAndOrderMayChange() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    #expect(try open(edited(stamped) { _ in }) == Settings())
  }

  @Test func aChangedValueIsRefused() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    let changes: [(inout [String: Any]) -> Void] = [
      { $0["limit"] = 501 }, { $0["limit"] = "500" }, { $0["limit"] = 500.5 },
      { $0["rate"] = 0.2 }, { $0["tags"] = ["ü", "a/b"] }, { $0["tags"] = ["a/b"] },
      { $0["nested"] = ["on": false] }, { $0["nested"] = ["off": true] },
      { $0["nested"] = [String: Bool]() },
      // A member that the type does not know, but a person would read.
      { $0["limitOverride"] = 9999 },
    ]
    for change in changes {
      let changed = try edited(stamped) { object in
        var value = object["value"] as? [String: Any] ?? [:]
        change(&value)
        object["value"] = value
      }
      #expect(code { _ = try open(changed) } == .damaged)
    }
  }

  @Test func aChangedStampIsRefused() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    let changes: [(String, Any)] = [
      ("name", "others"), ("type", "Others"), ("counter", 2), ("method", "ed25519"),
      ("key", "0000000000000000"), ("code", Data(count: 32).base64EncodedString()),
      ("code", ""), ("version", 2),
    ]
    for (key, value) in changes {
      let changed = try edited(stamped) { object in
        var stamp = object["stamp"] as? [String: Any] ?? [:]
        stamp[key] = value
        object["stamp"] = stamp
      }
      #expect(code { _ = try open(changed) } != nil, "\(key)")
    }
  }

  @Test func aValueMovedToAnotherNameIsRefused() throws {
    let mine = try stamper.stamp(Settings(limit: 1), name: "settings.mine")
    _ = try stamper.stamp(Settings(limit: 2), name: "settings.theirs")
    #expect(code { _ = try open(mine, name: "settings.theirs") } == .damaged)
    #expect(try open(mine, name: "settings.mine").limit == 1)
  }

  @Test func aValueOfAnotherTypeIsRefused() throws {
    struct Other: Codable, Sendable { var limit: Int }
    let stamped = try stamper.stamp(Settings(), name: "settings")
    let other = try Stamped<Other>(json: stamped.json())
    #expect(code { _ = try stamper.open(other, name: "settings") } == .damaged)
    // A type name that the program chooses outlives a renaming.
    let labelled = try stamper.stamp(Settings(), name: "settings", type: "settings.v1")
    let renamed = try Stamped<Other>(json: labelled.json())
    #expect(try stamper.open(renamed, name: "settings", type: "settings.v1").limit == 500)
  }

  // MARK: Replay

  @Test func anOlderValueIsFoundOut() throws {
    let old = try stamper.stamp(Settings(limit: 1), name: "settings")
    #expect(try open(old).limit == 1)
    let new = try stamper.stamp(Settings(limit: 2), name: "settings")
    #expect(code { _ = try open(old) } == .rolledBack)
    #expect(try open(new).limit == 2)
    // This includes the same value again, which was stamped before.
    _ = try stamper.stamp(Settings(limit: 1), name: "settings")
    #expect(code { _ = try open(old) } == .rolledBack)
    // Another name does not affect it.
    _ = try stamper.stamp(Settings(limit: 3), name: "others")
    #expect(code { _ = try open(new) } == .rolledBack)
  }

  @Test func oneNamesCounterLeavesOthersAlone() throws {
    let mine = try stamper.stamp(Settings(limit: 1), name: "settings")
    for _ in 0..<3 { _ = try stamper.stamp(Settings(limit: 2), name: "others") }
    #expect(try open(mine).limit == 1)
  }

  @Test func anOlderValueIsAcceptedOnPurposeAndNewerOnesAreNotAfter() throws {
    let old = try stamper.stamp(Settings(limit: 1), name: "settings")
    let new = try stamper.stamp(Settings(limit: 2), name: "settings")
    #expect(try stamper.open(old, name: "settings", acceptingOlder: true).limit == 1)
    #expect(try open(old).limit == 1)
    #expect(code { _ = try open(new) } == .rolledBack)
    let next = try stamper.stamp(Settings(limit: 3), name: "settings")
    #expect(next.stamp.counter == 3)
    #expect(code { _ = try open(new) } == .rolledBack)
  }

  @Test func acceptingOlderAcceptsNothingThatWasChanged() throws {
    let stamped = try stamper.stamp(Settings(limit: 1), name: "settings")
    let changed = try edited(stamped) { $0["value"] = ["limit": 2] }
    #expect(
      code { _ = try stamper.open(changed, name: "settings", acceptingOlder: true) } == .damaged)
  }

  @Test func aSaveThatFailsLeavesTheOldValue() throws {
    struct Full: Error {}
    let old = try stamper.stamp(Settings(limit: 1), name: "settings")
    #expect(throws: Full.self) {
      try stamper.stamp(Settings(limit: 2), name: "settings") { _ in throw Full() }
    }
    #expect(try open(old).limit == 1)
  }

  @Test func whatWasSavedBeforeACrashOpensAndEndsTheOld() throws {
    struct Crash: Error {}
    let old = try stamper.stamp(Settings(limit: 1), name: "settings")
    var saved: Stamped<Settings>?
    #expect(throws: Crash.self) {
      try stamper.stamp(Settings(limit: 2), name: "settings") {
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
    var saved: Stamped<Settings>?
    #expect(throws: Crash.self) {
      try stamper.stamp(Settings(limit: 1), name: "settings") {
        saved = $0
        throw Crash()
      }
    }
    let lost = try #require(saved)
    let present = try stamper.stamp(Settings(limit: 2), name: "settings")
    #expect(lost.stamp.counter == present.stamp.counter)
    #expect(try open(present).limit == 2)
    #expect(code { _ = try open(lost) } == .rolledBack)
  }

  // MARK: Keys

  @Test func anotherKeyDoesNotOpen() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    let other = ValueStamper(keychain, keyName: "other")
    _ = try other.stamp(Settings(), name: "settings")
    #expect(code { _ = try other.open(stamped, name: "settings") } == .authenticationFailed)
    #expect(try open(stamped) == Settings())
  }

  @Test func openingMakesNeitherKeyNorCounter() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    let other = try SimulatedDevice(passcode: "1234").keychain()
    let elsewhere = ValueStamper(other)
    #expect(code { _ = try elsewhere.open(stamped, name: "settings") } == .notFound)
    #expect(try other.count() == 0)
  }

  @Test func aLockedKeychainNeitherStampsNorOpens() throws {
    let stamped = try stamper.stamp(Settings(), name: "settings")
    device.lock()
    #expect(code { _ = try open(stamped) } == .locked)
    #expect(code { _ = try stamper.stamp(Settings(), name: "settings") } == .locked)
  }

  @Test(arguments: [KeyAlgorithm.p256, .ed25519])
  func aKeyPairStampsToo(_ algorithm: KeyAlgorithm) throws {
    try keychain.createKey(algorithm, tag: "stamping")
    let signer = ValueStamper(keychain, tag: "stamping")
    let old = try signer.stamp(Settings(limit: 1), name: "settings")
    #expect(try signer.open(old, name: "settings").limit == 1)
    #expect(old.stamp.method == algorithm.defaultSignatureScheme?.name)
    let changed = try edited(old) { $0["value"] = ["limit": 2] }
    #expect(code { _ = try signer.open(changed, name: "settings") } == .damaged)
    _ = try signer.stamp(Settings(limit: 2), name: "settings")
    #expect(code { _ = try signer.open(old, name: "settings") } == .rolledBack)
    // The HMAC key and the key pair cannot replace each other.
    #expect(code { _ = try stamper.open(old, name: "settings") } == .notFound)
    let stamped = try stamper.stamp(Settings(), name: "settings")
    #expect(code { _ = try signer.open(stamped, name: "settings") } == .authenticationFailed)
    #expect(code { _ = try stamper.open(old, name: "settings") } == .authenticationFailed)
  }

  // MARK: Values

  @Test func whatIsNoJSONIsRefused() throws {
    #expect(code { _ = try stamper.stamp(Double.nan, name: "n") } == .invalidArgument)
    let long = try #require(Decimal(string: "0.12345678901234567890123456789"))
    #expect(code { _ = try stamper.stamp(long, name: "n") } == .invalidArgument)
    for text in ["", "{}", "[]", "{\"value\":1}", "{\"value\":1,\"stamp\":{}}", "no"] {
      #expect(code { _ = try Stamped<Int>(json: Data(text.utf8)) } == .damaged)
    }
  }

  @Test func numbersOfAnySizeComeBack() throws {
    for number in [0, -0.0, 1, -1, 1.5, 1e-300, 1e300, .pi, .greatestFiniteMagnitude] {
      let stamped = try stamper.stamp([number], name: "number")
      #expect(try stamper.open(Stamped<[Double]>(json: stamped.json()), name: "number") == [number])
    }
    for number in [Int64.min, Int64.max] {
      let stamped = try stamper.stamp([number], name: "number")
      #expect(try stamper.open(Stamped<[Int64]>(json: stamped.json()), name: "number") == [number])
    }
  }

  @Test func setsComeBackInWhicheverOrder() throws {
    let names = Set((0..<50).map(String.init))
    let stamped = try stamper.stamp(names, name: "names")
    #expect(try stamper.open(Stamped<Set<String>>(json: stamped.json()), name: "names") == names)
  }

  // MARK: Several at once

  @Test func ofManyWhoStampAtOnceOneIsThePresentValue() async throws {
    let all = try await withThrowingTaskGroup(of: Stamped<Settings>.self) { group in
      for limit in 0..<8 {
        group.addTask { try await stamper.stamp(Settings(limit: limit), name: "settings") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(all.map(\.stamp.counter)) == Set(1...8))
    let opened = all.filter { stamped in code { _ = try open(stamped) } == nil }
    #expect(opened.map(\.stamp.counter) == [8])
  }

  @Test func theAsynchronousFormsDoTheSame() async throws {
    let saved = Mutex<Stamped<Settings>?>(nil)
    try await stamper.stamp(Settings(), name: "settings") { stamped in
      saved.withLock { $0 = stamped }
    }
    let stamped = try #require(saved.withLock { $0 })
    let opened = try await stamper.background { try $0.open(stamped, name: "settings") }
    #expect(opened == Settings())
  }
}
