import AtRestCrypto
import AtRestKeybag
import Foundation

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

  /// The keybag, without its code where that is appended.
  func readKeybag(_ input: consuming FuzzInput) throws {
    let isForged = input.integer(UInt8.self) & 1 == 1
    var keybag = input.rest
    let device = KnownDevice(knowing: keybag)
    if isForged {
      // The store's share follows the head.
      let effaceable = SecretBytes(Data(keybag.dropFirst(42).prefix(32)) + KnownDevice.share)
      keybag += try device.tangle(
        effaceable, purpose: Purpose("atrest.keybag-authentication.v1")
      ).authenticationCode(for: keybag)
    }
    let storage = MemoryStorage()
    try storage.replace("keybag", with: keybag)
    try isAccepted {
      // A passcode is not given: it would be stretched as the keybag orders, for seconds.
      _ = try Keybag.open(in: storage, device: device)
    }
  }

  func keybagSeeds() throws -> [Data] {
    var seeds: [Data] = []
    for passcode in [nil, SecretBox(SecretBytes(utf8: "a passcode"))] {
      let storage = MemoryStorage()
      _ = try Keybag.create(
        in: storage, device: KnownDevice(knowing: Data()), passcode: passcode,
        options: .init(kdf: .forTesting))
      guard let keybag = try storage.read("keybag") else { continue }
      seeds.append(Data([0]) + keybag)
      seeds.append(Data([1]) + keybag.dropLast(Self.codeCount))
    }
    return seeds
  }
}

/// A device with a key that is known, which remembers a given keybag as the present one.
struct KnownDevice: DeviceKeyProvider {
  static let share = Data(repeating: 5, count: 32)

  private let store: StoreIdentity
  private let generation: UInt64
  var risks: [Risk] { [] }

  init(knowing keybag: Data) {
    generation = keybag.dropFirst(10).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    store = StoreIdentity(Data(keybag.dropFirst(18).prefix(16)))
  }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    SecretBytes(Data(repeating: 7, count: 32)).derive(purpose, context: Data(copying: input))
  }
  func recall(_ name: String) throws -> Data? {
    guard name == DeviceRecord.name(store) else { return nil }
    return try DeviceRecord(
      generation: generation, share: SecretBox(SecretBytes(Self.share))
    ).encoded(store, self)
  }
  func remember(_ data: Data, as name: String, durably: Bool) throws {}
  func rememberErasing(_ data: Data, as name: String) throws {}
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try body()
  }
  func forget(_ name: String) throws {}
}
