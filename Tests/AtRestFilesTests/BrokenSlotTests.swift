import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// Another recipient, who has the file's key, puts a slot for the reader before the right one.
@Suite struct BrokenSlotTests {
  private static let contents = Data("for eva".utf8)
  private let folder: TestFolder
  private let url: URL
  private let publicKey: PublicKey
  private let eva: ProtectedFiles
  private let pair: SecretBox
  /// The start of the slots, after the header's fixed part. A length precedes each slot.
  private static let slotStart = 64
  private static let slotCount = 1 + 8 + 32 + 40

  init() throws {
    folder = try TestFolder()
    url = folder.path("f")
    let key = try PrivateKey.generate(.x25519)
    publicKey = key.publicKey
    pair = SecretBox(try key.rawRepresentation())
    // Two slots for one recipient, which a writer may create.
    try ProtectedFiles(recipients: [key.publicKey, key.publicKey]).write(Self.contents, to: url)
    eva = try ProtectedFiles(identity: key)
  }

  private func wrappingKey(_ agreed: borrowing SecretBytes, _ ephemeral: Data) throws -> WrappingKey
  {
    try WrappingKey(
      agreed.derive(
        Purpose("atrest.file.recipient-wrap.v1"),
        context: ephemeral + publicKey.rawRepresentation()))
  }

  /// Changes the first slot, and authenticates the header with the file's key.
  private func spoil(_ change: (inout Data) throws -> Void) throws {
    var file = try Data(contentsOf: url)
    let size = Int(file[11..<15].reduce(0) { $0 << 8 | UInt32($1) })
    let second = Self.slotStart + 2 + Self.slotCount + 2
    let ephemeral = Data(file[second + 9..<second + 41])
    let key = try PrivateKey(rawRepresentation: pair.bytes, algorithm: .x25519)
    let agreed = try key.sharedSecret(
      with: PublicKey(rawRepresentation: ephemeral, algorithm: .x25519))
    let fileKey = try wrappingKey(agreed, ephemeral)
      .unwrap(Data(file[second + 41..<second + 81]), name: "the key")
    let first = Self.slotStart + 2..<Self.slotStart + 2 + Self.slotCount
    var slot = Data(file[first])
    try change(&slot)
    file.replaceSubrange(first, with: slot)
    let code = fileKey.derive(Purpose("atrest.file.header.v1"))
      .authenticationCode(for: Data(file[..<(size - 32)]))
    file.replaceSubrange(size - 32..<size, with: code)
    try file.write(to: url)
  }

  private func expectOpens() throws {
    #expect(try eva.read(url) == Self.contents)
    #expect(refusal { try eva.open(url) } == nil)
    try eva.unprotect(.file(url), to: .file(folder.path("out"), replacing: true))
    #expect(try Data(contentsOf: folder.path("out")) == Self.contents)
    let piped = try Data(contentsOf: url)
    try eva.unprotect(.data(piped), to: .file(folder.path("out"), replacing: true))
  }

  @Test func bytesThatUnwrapToNothingDenyNothing() throws {
    try spoil { $0.replaceSubrange(41..<81, with: RandomBytes.data(count: 40)) }
    try expectOpens()
  }

  @Test func anotherKeyDeniesNothing() throws {
    try spoil { slot in
      let drawn = try PrivateKey.generate(.x25519)
      let ephemeral = try drawn.publicKey.rawRepresentation()
      let wrapped = try wrappingKey(drawn.sharedSecret(with: publicKey), ephemeral)
        .wrap(SecretBytes.random(count: 32))
      slot.replaceSubrange(9..<41, with: ephemeral)
      slot.replaceSubrange(41..<81, with: wrapped)
    }
    try expectOpens()
  }

  @Test func aPublicKeyOfLowOrderDeniesNothing() throws {
    try spoil { $0.replaceSubrange(9..<41, with: Data(count: 32)) }
    try expectOpens()
  }

  /// Control: without the right slot, the same file is damaged.
  @Test func withBothBrokenItIsDamaged() throws {
    try spoil { $0.replaceSubrange(41..<81, with: RandomBytes.data(count: 40)) }
    var file = try Data(contentsOf: url)
    file[Self.slotStart + 2 + Self.slotCount + 2 + 50] ^= 1
    try file.write(to: url)
    #expect(refusal { try eva.read(url) } == .damaged)
  }
}
