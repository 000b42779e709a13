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

  /// The store's effaceable file and its keybag, both without their codes where these are appended.
  func readKeybag(_ input: consuming FuzzInput) throws {
    let isForged = input.integer(UInt8.self) & 1 == 1
    var effaceable = input.counted()
    var keybag = input.rest
    if isForged {
      let device = KnownDevice()
      let key = SecretBytes(Data(effaceable.dropFirst(26).prefix(32)))
      effaceable += try device.tangle(
        SecretBytes(utf8: "effaceable"), purpose: Purpose("atrest.effaceable.v1")
      ).authenticationCode(for: effaceable)
      keybag += try device.tangle(key, purpose: Purpose("atrest.keybag-authentication.v1"))
        .authenticationCode(for: keybag)
    }
    let storage = MemoryStorage()
    try storage.replace("effaceable", with: effaceable)
    try storage.replace("keybag", with: keybag)
    try isAccepted {
      // A passcode is not given: it would be stretched as the keybag orders, for seconds.
      _ = try Keybag.open(in: storage, device: KnownDevice(), acceptingOlder: true)
    }
  }

  func keybagSeeds() throws -> [Data] {
    var seeds: [Data] = []
    for passcode in [nil, SecretBox(SecretBytes(utf8: "1234"))] {
      let storage = MemoryStorage()
      _ = try Keybag.create(
        in: storage, device: KnownDevice(), passcode: passcode, options: .init(kdf: .forTesting))
      guard let effaceable = try storage.read("effaceable"), let keybag = try storage.read("keybag")
      else { continue }
      seeds.append(Data([0]) + FuzzInput.counted(effaceable) + keybag)
      seeds.append(
        Data([1]) + FuzzInput.counted(effaceable.dropLast(Self.codeCount))
          + keybag.dropLast(Self.codeCount))
    }
    return seeds
  }
}

/// A device with a key that is known, and no memory.
struct KnownDevice: DeviceKeyProvider {
  var risks: [Risk] { [] }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    SecretBytes(Data(repeating: 7, count: 32)).derive(purpose, context: Data(copying: input))
  }
  func recall(_ name: String) throws -> Data? { nil }
  func remember(_ data: Data, as name: String, durably: Bool) throws {}
  func forget(_ name: String) throws {}
}
