import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// The bytes of version 1, made by a separate program from `docs/Formats.md`. They are never made
/// again.
@Suite struct SealFormatTests {
  private var key: SecretBytes { SecretBytes(Data(0..<32)) }

  private let detached = Data(
    hex: """
      417452657374534c00010101b67b196887037c1e000000000000000000000008d1b2a59fbea7e200
      77af9f91b27e95e865061b270be03ff539ab3b73587882e8000000207eaee7da43c8e7b2803b727a
      c1df05e7da8f753e8edd9d06a1e1b0e3a7ef6f6c
      """)

  private let appended = Data(
    hex: """
      636f6e74656e7473417452657374534c00010201b67b196887037c1e000000000000000000000008
      d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e800000020e7f8400c
      3526f54ba7497be7330d0fb8cbc8785938ff7bb5a7c69a96463dce98000000644174526573745345
      """)

  private let manifest = Data(
    hex: """
      4174526573744d460001000000030201ed0000000362696e0101c00000000862696e2f746f6f6c00
      00000000000008d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e803
      0000000000046c696e6b0000000862696e2f746f6f6c417452657374534c00010301b67b19688703
      7c1e0000000000000000000000660398217f4c5216b006fcbc5d915f45c6dd03901bbd3bcaa59e34
      e4f232df799e00000020c19eb4a22aa8441b0b9e059c2f0763ff34b078153c1c5f95fec4c41cf3fc
      a2e0000000644174526573745345
      """)

  @Test func aDetachedSeal() throws {
    let folder = try SealingFolder()
    let file = try folder.write("file", "contents")
    #expect(try FileSealer(hmacKey: key).seal(file).encoded == detached)
    let seal = try FileSeal(decoding: detached)
    #expect(seal.encoded == detached)
    try FileSealVerifier(hmacKey: key).check(file, against: seal)
  }

  @Test func anAppendedSeal() throws {
    let folder = try SealingFolder()
    let file = try folder.write("file", appended)
    try FileSealVerifier(hmacKey: key).checkAppended(file)
    try Data("contents".utf8).write(to: file)
    try FileSealer(hmacKey: key).appendSeal(to: file)
    #expect(try Data(contentsOf: file) == appended)
  }

  @Test func aManifest() throws {
    let folder = try SealingFolder()
    try folder.write("bin/tool", "contents")
    try folder.setMode(0o755, of: "bin")
    try folder.setMode(0o700, of: "bin/tool")
    try folder.link("link", to: "bin/tool")
    #expect(try FileSealer(hmacKey: key).manifest(of: folder.url).encoded == manifest)
    let read = try FolderManifest(decoding: manifest)
    #expect(try FileSealVerifier(hmacKey: key).compare(folder.url, with: read).isUnchanged)
  }

  @Test func aSignatureIsOfTheStatement() throws {
    let folder = try SealingFolder()
    let file = try folder.write("file", "contents")
    let key = SigningKey(try PrivateKey.generate(.ed25519))
    let seal = try FileSealer(publicKey: key.key.publicKey) { try key.key.signature(for: $0) }
      .seal(file).encoded
    // Only the code's length and the 64 bytes of the code are outside of it.
    let statement = Data("atrest.seal-statement.v1".utf8) + seal.dropLast(68)
    #expect(
      try key.key.publicKey.isValidSignature(Data(seal.suffix(64)), for: statement))
  }
}
