import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// Files of class complete-unless-open, made by an attacker who has read the store's folder.
@Suite struct ForgeryTests {
  private let folder: TestFolder
  private let forger: FileForger
  private static let text = Data("forged".utf8)

  init() throws {
    folder = try TestFolder()
    let publicKey = try folder.keybag.unlessOpenPublicKey()
    // This is plaintext in the store's folder. The attack uses nothing that is secret.
    let keybag = try #require(try folder.storage.read("keybag"))
    #expect(keybag.range(of: publicKey) != nil)
    #expect(keybag.range(of: folder.keybag.store.bytes) != nil)
    forger = FileForger(store: folder.keybag.store.bytes, publicKey: publicKey)
  }

  /// Returns the key that only an open store has, also while it is locked.
  private func writer() throws -> Data {
    Data(
      copying: try folder.keybag.derive(
        Purpose("atrest.unless-open-writer.v1"), from: .noProtection))
  }

  /// Returns the error of every way to read a file.
  private func refusals(_ file: Data) throws -> Set<AtRestError.Code?> {
    let url = folder.path("f")
    try file.write(to: url)
    let files = folder.files
    return [
      refusal { try files.read(url) }, refusal { try files.open(url) },
      refusal { try files.open(url, for: .updating) }, refusal { try files.verify(url) },
      refusal { try files.unprotect(.data(file), to: .file(folder.path("out"))) },
      refusal { try files.setProtection(.complete, of: url) },
    ]
  }

  @Test func thePublicKeyAloneForgesNothing() throws {
    try folder.unlock()
    #expect(
      try refusals(forger.file(Self.text, wrapping: FileForger.fromPublicKeyAlone)) == [.damaged])
    let foreign = try TestFolder()
    let guesses = [
      Data(), Data(count: 32), forger.publicKey, forger.store,
      Data(
        copying: try foreign.keybag.derive(
          Purpose("atrest.unless-open-writer.v1"), from: .noProtection)),
    ]
    for guess in guesses {
      #expect(
        try refusals(forger.file(Self.text, wrapping: forger.present(writer: guess)))
          == [.damaged])
    }
    #expect(folder.names == ["f"])
  }

  /// Control: the forger's bytes are right, except for the key that the forger lacks.
  @Test func withTheWritersKeyTheSameBytesOpen() throws {
    try folder.unlock()
    let file = try forger.file(Self.text, wrapping: forger.present(writer: writer()))
    #expect(try refusals(file) == [nil])
    #expect(try folder.files.read(folder.path("f")) == Self.text)
  }

  /// Control: a file that the store itself writes while it is locked opens.
  @Test func aGenuineFileOpens() throws {
    folder.keybag.lock()
    try folder.files.write(Self.text, to: folder.path("g"), protection: .completeUnlessOpen)
    try folder.unlock()
    #expect(try folder.files.read(folder.path("g")) == Self.text)
  }

  /// With such a key, the agreement is zero, whatever the private key is.
  @Test(
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
  func anEphemeralKeyOfLowOrderIsRefused(_ point: String) throws {
    try folder.unlock()
    var forger = forger
    forger.ephemeral = Data(
      stride(from: 0, to: 64, by: 2).map { index in
        let start = point.index(point.startIndex, offsetBy: index)
        return UInt8(point[start..<point.index(start, offsetBy: 2)], radix: 16) ?? 0
      })
    // Also with the writer's key, so only the point is wrong.
    let file = try forger.file(Self.text, wrapping: forger.present(writer: writer()))
    #expect(try refusals(file) == [.damaged])
    try file.write(to: folder.path("f"))
    #expect(message { try folder.files.read(folder.path("f")) }.contains("low order"))
  }

  @Test func aSlotOfAnotherStoreDoesNotOpen() throws {
    // Everything belongs to this store, except the identity to which the wrapping key is bound.
    try folder.unlock()
    let other = FileForger(
      store: Data(repeating: 9, count: 16), publicKey: forger.publicKey)
    var file = try other.file(Self.text, wrapping: other.present(writer: writer()))
    file.replaceSubrange(68..<84, with: forger.store)
    #expect(try refusals(file) == [.damaged])
  }
}
