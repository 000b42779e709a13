import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// The bytes of version 1, made by a separate program from `docs/Formats.md`. They are never made
/// again.
@Suite struct StampFormatTests {
  private var key: SecretBytes { SecretBytes(Data(0..<32)) }

  private let detached = Data(
    hex: """
      417452657374535400010101b474ca5832d8730e000000000000000000000008d1b2a59fbea7e200
      77af9f91b27e95e865061b270be03ff539ab3b73587882e80000002036d078a8c719db229f0e9b1b
      9a7efc19409f37ca5975fa24a9bc41715b957f9e
      """)

  private let appended = Data(
    hex: """
      636f6e74656e7473417452657374535400010201b474ca5832d8730e000000000000000000000008
      d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e800000020ae5b9756
      75b0ade78d49ace01cb061c31eb65d7417b109785f9c51f8ad8755b8000000644174526573745345
      """)

  private let manifest = Data(
    hex: """
      4174526573744d460001000000030201ed0000000362696e0101c00000000862696e2f746f6f6c00
      00000000000008d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e803
      0000000000046c696e6b0000000862696e2f746f6f6c417452657374535400010301b474ca5832d8
      730e0000000000000000000000660398217f4c5216b006fcbc5d915f45c6dd03901bbd3bcaa59e34
      e4f232df799e000000208d2593b62daa40dc45fa0dffbc6a61c673ecd02182fa0aa7684f1dd3d2e6
      c97b000000644174526573745345
      """)

  @Test func aDetachedStamp() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", "contents")
    #expect(try FileStamper(hmacKey: key).stamp(file).encoded == detached)
    let stamp = try FileStamp(decoding: detached)
    #expect(stamp.encoded == detached)
    try FileStampVerifier(hmacKey: key).check(file, against: stamp)
  }

  @Test func anAppendedStamp() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", appended)
    try FileStampVerifier(hmacKey: key).checkAppended(file)
    try Data("contents".utf8).write(to: file)
    try FileStamper(hmacKey: key).appendStamp(to: file)
    #expect(try Data(contentsOf: file) == appended)
  }

  @Test func aManifest() throws {
    let folder = try StampingFolder()
    try folder.write("bin/tool", "contents")
    try folder.setMode(0o755, of: "bin")
    try folder.setMode(0o700, of: "bin/tool")
    try folder.link("link", to: "bin/tool")
    #expect(try FileStamper(hmacKey: key).manifest(of: folder.url).encoded == manifest)
    let read = try FolderManifest(decoding: manifest)
    #expect(try FileStampVerifier(hmacKey: key).compare(folder.url, with: read).isUnchanged)
  }

  @Test func aSignatureIsOfTheStatement() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", "contents")
    let key = SigningKey(try PrivateKey.generate(.ed25519))
    let stamp = try FileStamper(publicKey: key.key.publicKey) { try key.key.signature(for: $0) }
      .stamp(file).encoded
    // Only the code's length and the 64 bytes of the code are outside of it.
    let statement = Data("atrest.stamp-statement.v1".utf8) + stamp.dropLast(68)
    #expect(
      try key.key.publicKey.isValidSignature(Data(stamp.suffix(64)), for: statement))
  }
}
