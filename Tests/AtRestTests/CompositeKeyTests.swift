import AtRest
import AtRestSimulation
import Foundation
import Synchronization
import Testing

@Suite struct CompositeKeyTests {
  private let item = PrimaryKey.genericPassword(service: "com.example", account: "salt")
  private let protection = ItemProtection.accessible(.whenUnlockedThisDeviceOnly)
  private let device: SimulatedDevice
  private let keychain: Keychain

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    keychain = try device.keychain()
  }

  private func partial(_ text: String) throws -> CompositeKey.Constituent {
    .partialSecret(try ObfuscatedBytes(masking: SecretBytes(utf8: text)))
  }

  private func server(_ text: String) -> CompositeKey.Constituent {
    .server { SecretBytes(utf8: text) }
  }

  private func key(
    _ constituents: [CompositeKey.Constituent], creatingSalt: Bool = true,
    keychain: Keychain? = nil
  ) throws -> SecretBox {
    SecretBox(
      try CompositeKey(constituents).key(
        keychain: keychain ?? self.keychain, salt: item, protection: protection,
        creatingSalt: creatingSalt, kdf: .forTesting))
  }

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  @Test func theSameConstituentsGiveTheSameKey() throws {
    let recipe = [try partial("one"), .deviceIdentifier, server("two")]
    let first = try key(recipe)
    #expect(first.bytes.count == 32)
    #expect(isSame(first, try key(recipe, creatingSalt: false)))
    // A secret that is masked again stays the same.
    #expect(isSame(first, try key([partial("one"), .deviceIdentifier, server("two")])))
  }

  @Test func eachConstituentMatters() throws {
    let first = try key([partial("one"), .deviceIdentifier, server("two")])
    let others: [[CompositeKey.Constituent]] = try [
      [partial("one"), .deviceIdentifier, server("twO")],
      [partial("onE"), .deviceIdentifier, server("two")],
      [partial("one"), server("two")],
      [partial("one"), .deviceIdentifier],
      [server("two"), .deviceIdentifier, partial("one")],
      [partial("one"), .deviceIdentifier, server("two"), server("two")],
    ]
    for other in others { #expect(!isSame(first, try key(other))) }
  }

  @Test func whereOneEndsAndTheNextBeginsMatters() throws {
    let one = try key([partial("ab"), partial("c")])
    let two = try key([partial("a"), partial("bc")])
    let three = try key([partial("abc")])
    #expect(!isSame(one, two) && !isSame(one, three) && !isSame(two, three))
  }

  @Test func theKindOfConstituentMatters() throws {
    #expect(!isSame(try key([partial("one")]), try key([server("one")])))
  }

  @Test func anotherSaltGivesAnotherKey() throws {
    let first = try key([partial("one")])
    try keychain.delete(item)
    #expect(!isSame(first, try key([partial("one")])))
  }

  @Test func anotherDeviceGivesAnotherKeyForTheSameSalt() throws {
    let other = try SimulatedDevice(passcode: "1234").keychain()
    _ = try key([partial("one")])
    let salt = try keychain.secret(for: item)
    try other.add(item, secret: salt)
    // Control: without the device's part, only the salt differs.
    #expect(isSame(try key([partial("one")]), try key([partial("one")], keychain: other)))
    let recipe = [try partial("one"), .deviceIdentifier]
    #expect(!isSame(try key(recipe), try key(recipe, keychain: other)))
  }

  @Test func aLostSaltIsNotReplaced() throws {
    _ = try key([partial("one")])
    try keychain.delete(item)
    #expect(code { _ = try key([partial("one")], creatingSalt: false) } == .notFound)
    #expect(try keychain.count() == 0)
  }

  @Test func aSaltThatIsLockedIsNotReplaced() throws {
    let first = try key([partial("one")])
    device.lock()
    #expect(code { _ = try key([partial("one")]) } == .locked)
    try device.unlock()
    #expect(isSame(first, try key([partial("one")])))
  }

  @Test func theSaltKeepsItsOwnCost() throws {
    let first = try key([partial("one")])
    let again = SecretBox(
      try CompositeKey([partial("one")]).key(
        keychain: keychain, salt: item, protection: protection, creatingSalt: true,
        kdf: .pbkdf2SHA256()))
    #expect(isSame(first, again))
  }

  /// The ready recipe has three constituents, and its KDF is PBKDF2 for 100 ms or the minimum.
  @Test func ofThree() throws {
    let secret = try ObfuscatedBytes(masking: SecretBytes(utf8: "one"))
    func key(_ recipe: CompositeKey) throws -> SecretBox {
      SecretBox(
        try recipe.key(
          keychain: keychain, salt: item, protection: protection, creatingSalt: true,
          kdf: CompositeKey.pbkdf2.kdf))
    }
    let first = try key(.ofThree(secret))
    #expect(isSame(first, try key(.ofThree(secret))))
    // Control: two constituents give another key.
    #expect(!isSame(first, try key(CompositeKey([.partialSecret(secret)]))))
    let stored = Data(copying: try keychain.secret(for: item))
    #expect(try PasswordKDF.decoded(from: stored[2..<15]) == CompositeKey.pbkdf2.kdf)
    let calibration = CompositeKey.pbkdf2
    #expect(calibration.kdf.function == .pbkdf2SHA256 && calibration.kdf.isAtLeastMinimum)
    #expect(calibration.isBelowMinimum == (calibration.note != nil))
  }

  @Test func withoutACostItIsCalibratedAndAtLeastTheMinimum() throws {
    _ = try CompositeKey([partial("one")]).key(
      keychain: keychain, salt: item, protection: protection, creatingSalt: true
    ).count
    let stored = Data(copying: try keychain.secret(for: item))
    #expect(stored.count == 47)
    #expect(try PasswordKDF.decoded(from: stored[2..<15]).isAtLeastMinimum)
  }

  @Test func aSaltOrdersNoMoreThanAGibibyte() throws {
    _ = try key([partial("one")])
    var stored = Data(copying: try keychain.secret(for: item))
    stored.replaceSubrange(2..<15, with: PasswordKDF.scrypt(logN: 21).encoded)
    try keychain.update(item, secret: SecretBytes(stored))
    #expect(code { _ = try key([partial("one")]) } == .damaged)
  }

  @Test func theSaltHasTheProtectionAskedFor() throws {
    _ = try key([partial("one")])
    #expect(try keychain.item(for: item).protection == protection)
  }

  @Test func theServerIsAskedEachTimeAndItsRefusalComesOut() throws {
    struct Refusal: Error {}
    let calls = Mutex(0)
    let constituents: [CompositeKey.Constituent] = [
      .server {
        calls.withLock { $0 += 1 }
        return SecretBytes(utf8: "part")
      }
    ]
    _ = try key(constituents)
    _ = try key(constituents)
    #expect(calls.withLock { $0 } == 2)
    #expect(throws: Refusal.self) { _ = try key([.server { throw Refusal() }]) }
    #expect(code { _ = try key([server("")]) } == .invalidArgument)
  }

  @Test func theAsynchronousFormGivesTheSame() async throws {
    let first = try key([partial("one")])
    let again = SecretBox(
      try await CompositeKey([partial("one")]).key(
        keychain: keychain, salt: item, protection: protection, creatingSalt: false))
    #expect(isSame(first, again))
    let count = try await CompositeKey([partial("one")]).background {
      [keychain, item, protection] in
      try $0.withKey(
        keychain: keychain, salt: item, protection: protection, creatingSalt: false
      ) { $0.count }
    }
    #expect(count == 32)
  }
}
