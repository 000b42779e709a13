import AtRest
import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation

extension Fuzzer {
  private static let identity = Data(
    (1...32).map { UInt8($0) })
  private static let context = Data("context".utf8)

  private static func key() throws -> PrivateKey {
    try PrivateKey(rawRepresentation: SecretBytes(identity), algorithm: .x25519)
  }

  func readVault(_ input: consuming FuzzInput) throws {
    let form = input.integer(UInt8.self)
    let bytes = input.rest
    switch form % 5 {
    case 0:
      try isAccepted {
        let envelope = try Envelope(decoding: bytes)
        try expect(envelope.encoded == bytes, "An envelope was read that is written otherwise.")
        _ = try envelope.readers()
        _ = try envelope.open(context: Self.context, with: Self.key()).count
      }
    case 1:
      try isAccepted {
        let stored = try bytes.withUnsafeBytes { try StoredValue(decoding: $0, name: "the value") }
        try expect(
          stored.encoded.isEqual(to: SecretBytes(bytes)),
          "A value was read that is written otherwise.")
      }
    case 2:
      try isAccepted {
        let registry = try bytes.withUnsafeBytes { try Registry(decoding: $0) }
        try expect(
          registry.encoded.isEqual(to: SecretBytes(bytes)),
          "A registry was read that is written otherwise.")
      }
    case 3:
      try isAccepted {
        let record = try PassphraseRecord(decoding: bytes)
        try expect(record.encoded == bytes, "A record was read that is written otherwise.")
      }
    default: try isAccepted { _ = try Stamped<[String: [Int]]>(json: bytes) }
    }
  }

  func vaultSeeds() throws -> [Data] {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    let folder = folder.appendingPathComponent("vault")
    let vault = try Vault.open(in: folder, keychain: keychain)
    try vault.device.store(Data("text".utf8), in: VaultRecord("report", .document))
    try vault.device.store(Data(count: 20_000), in: VaultRecord("large", .document, keep: .days(3)))
    var registry = Registry()
    registry.add("eva")
    let envelope = try KeyEncryptionKeys(keychain, name: "fuzz")
      .seal(Self.context, context: Self.context, to: [Self.key().publicKey])
    let stamped = try ValueStamper(keychain, keyName: "fuzz")
      .stamp(["a": [1, 2]], name: "a", type: "b")
    var seeds = [Data([0]) + envelope.encoded]
    for item in try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true)
    where item.attributes.account?.hasPrefix("value.") == true {
      seeds.append(Data([1]) + (item.withSecret { Data($0) } ?? Data()))
    }
    seeds.append(Data([2]) + Data(copying: registry.encoded))
    let record = try PassphraseRecord.make(SecretBytes(utf8: "fuzz"), kdf: .forTesting).record
    seeds.append(Data([3]) + record.encoded)
    seeds.append(Data([4]) + (try stamped.json()))
    return seeds
  }
}
