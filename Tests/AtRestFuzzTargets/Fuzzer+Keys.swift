import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

extension Fuzzer {
  // MARK: Key pairs

  func readKeys(_ input: consuming FuzzInput) throws {
    let bytes = input.rest
    try isAccepted {
      let key = try PublicKey(importing: bytes)
      let again = try PublicKey(importing: key.derRepresentation)
      try expect(again == key, "A public key does not read back.")
    }
    try isAccepted { _ = try PublicKey(x963Representation: bytes) }
    try isAccepted { _ = try PrivateKey(importing: SecretBytes(bytes)).publicKey }
    try isAccepted { _ = try PrivateKey(x963Representation: SecretBytes(bytes)).publicKey }
  }

  func keySeeds() throws -> [Data] {
    var seeds: [Data] = []
    for algorithm in [KeyAlgorithm.p256, .p384, .p521, .ed25519, .x25519, .rsa2048] {
      let key = try PrivateKey.generate(algorithm)
      seeds.append(key.publicKey.derRepresentation)
      seeds.append(Data(key.publicKey.pemRepresentation.utf8))
      seeds.append(Data(copying: key.derRepresentation))
      if algorithm == .p256 {
        seeds.append(try key.publicKey.x963Representation())
        seeds.append(Data(copying: try key.x963Representation()))
        seeds.append(Data(copying: key.pemRepresentation))
      }
    }
    return seeds
  }

  // MARK: Keybags

  private static let codeCount = 32

  /// Reads the device's share of the effaceable key, then the keybag, without its code if that is
  /// appended.
  func readKeybag(_ input: consuming FuzzInput) throws {
    let isForged = input.integer(UInt8.self) & 1 == 1
    let rest = input.rest
    let share = Data(rest.prefix(KnownDevice.shareCount))
    var keybag = Data(rest.dropFirst(KnownDevice.shareCount))
    let device = KnownDevice(knowing: keybag, share: share)
    if isForged {
      // The store's share follows the header.
      let effaceable = SecretBytes(Data(keybag.dropFirst(42).prefix(32)) + share)
      keybag += try device.tangle(
        effaceable, purpose: Purpose("atrest.keybag-authentication.v1")
      ).authenticationCode(for: keybag)
    }
    let storage = MemoryStorage()
    try storage.replace("keybag", with: keybag)
    try isAccepted {
      // No passcode is passed, because the KDF in the keybag would stretch it for seconds.
      _ = try Keybag.open(in: storage, device: device)
    }
  }

  func keybagSeeds() throws -> [Data] {
    var seeds: [Data] = []
    for passcode in [nil, SecretBox(SecretBytes(utf8: "a passcode"))] {
      let storage = MemoryStorage()
      let device = KnownDevice(knowing: Data(), share: Data())
      let made = try Keybag.create(
        in: storage, device: device, passcode: passcode, options: .init(kdf: .forTesting))
      guard let keybag = try storage.read("keybag"),
        let share = try DeviceRecord.load(made.identity, from: device)?.share(for: 1)
      else { continue }
      seeds.append(Data([0]) + Data(copying: share.bytes) + keybag)
      seeds.append(Data([1]) + Data(copying: share.bytes) + keybag.dropLast(Self.codeCount))
    }
    return seeds
  }
}

/// A device with a known key, which remembers a given keybag as the current one.
final class KnownDevice: DeviceKeyProvider {
  static let shareCount = 32

  private let store: StoreIdentity
  private let generation: UInt64
  private let share: Data
  private let memory = Mutex<[String: Data]>([:])
  var risks: [StoreRisk] { [] }

  init(knowing keybag: Data, share: Data) {
    generation = keybag.dropFirst(10).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    store = StoreIdentity(Data(keybag.dropFirst(18).prefix(16)))
    self.share = share
  }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    SecretBytes(Data(repeating: 7, count: 32)).derive(purpose, context: Data(copying: input))
  }
  func recall(_ name: String) throws -> Data? {
    if let known = memory.withLock({ $0[name] }) { return known }
    guard name == DeviceRecord.name(store), share.count == Self.shareCount else { return nil }
    return try DeviceRecord(generation: generation, share: SecretBox(SecretBytes(share)))
      .encoded(store, self)
  }
  func remember(_ data: Data, as name: String, durably: Bool) throws {
    memory.withLock { $0[name] = data }
  }
  func rememberErasing(_ data: Data, as name: String) throws {
    try remember(data, as: name, durably: true)
  }
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try body()
  }
  func forget(_ name: String) throws { memory.withLock { $0[name] = nil } }
}
