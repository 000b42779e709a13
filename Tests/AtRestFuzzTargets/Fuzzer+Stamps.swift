@_spi(Tools) import AtRestCrypto
import AtRestFiles
import Crypto
import Foundation

extension Fuzzer {
  private static var hmacKey: SecretBytes { SecretBytes(Data(repeating: 7, count: 32)) }
  private static let contents = Data("contents".utf8)

  func readStamps(_ input: consuming FuzzInput) throws {
    let form = input.integer(UInt8.self)
    let bytes = input.rest
    let verifier = try FileStampVerifier(hmacKey: Self.hmacKey)
    let path = folder.appendingPathComponent("stamped")
    switch form & 3 {
    case 0:
      try isAccepted {
        let stamp = try FileStamp(decoding: bytes)
        try expect(stamp.encoded == bytes, "A stamp was read that is written otherwise.")
        try Self.contents.write(to: path)
        try verifier.check(path, against: stamp)
      }
    case 1:
      try bytes.write(to: path)
      try isAccepted { _ = try FileStamp.appended(to: path) }
      try isAccepted { _ = try verifier.checkAppended(path) }
    default:
      // The right stamp is appended to a list of entries, so the list is compared with a folder.
      let bytes = form & 3 == 2 ? bytes : bytes + Self.trailer(of: bytes)
      let tree = folder.appendingPathComponent("tree")
      try? FileManager.default.createDirectory(at: tree, withIntermediateDirectories: false)
      try isAccepted {
        let manifest = try FolderManifest(decoding: bytes)
        try expect(manifest.encoded == bytes, "A manifest was read that is written otherwise.")
        let difference = try verifier.compare(tree, with: manifest)
        try expect(
          difference.isUnchanged == manifest.entries.isEmpty, "Entries of an empty folder.")
      }
    }
  }

  /// Returns the bytes that follow the list of a manifest, according to `docs/Formats.md`.
  private static func trailer(of list: Data) -> Data {
    var writer = ByteWriter()
    writer.fixed(utf8: "AtRestSL")
    writer.integer(UInt16(1))
    writer.fixed([3, 1])
    writer.fixed(
      Data(copying: hmacKey.derive(Purpose("atrest.stamp-key-fingerprint.v1"), count: 8)))
    writer.counted(utf8: "")
    writer.integer(UInt64(list.count))
    writer.fixed(Data(SHA256.hash(data: list)))
    writer.counted(
      hmacKey.derive(Purpose("atrest.stamp.v1"))
        .authenticationCode(for: Data("atrest.stamp-statement.v1".utf8) + writer.data))
    writer.integer(UInt32(writer.bytes.count))
    writer.fixed(utf8: "AtRestSE")
    return writer.data
  }

  func stampSeeds() throws -> [Data] {
    let tree = folder.appendingPathComponent("honest")
    let inner = tree.appendingPathComponent("folder")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let file = inner.appendingPathComponent("file")
    try Self.contents.write(to: file)
    try FileManager.default.createSymbolicLink(
      atPath: tree.appendingPathComponent("link").path, withDestinationPath: "folder/file")
    mkfifo(tree.appendingPathComponent("pipe").path, 0o600)
    let pair = try PrivateKey.generate(.ed25519)
    let secret = SecretBox(try pair.rawRepresentation())
    let signer = try FileStamper(publicKey: pair.publicKey) { statement in
      try PrivateKey(rawRepresentation: secret.bytes, algorithm: .ed25519)
        .signature(for: statement)
    }
    var seeds: [Data] = []
    for stamper in [try FileStamper(hmacKey: Self.hmacKey), signer] {
      seeds.append(Data([0]) + (try stamper.stamp(file).encoded))
      let appended = tree.appendingPathComponent("appended")
      try Self.contents.write(to: appended)
      _ = try stamper.appendStamp(to: appended)
      seeds.append(Data([1]) + (try Data(contentsOf: appended)))
      try FileManager.default.removeItem(at: appended)
      let manifest = try stamper.manifest(of: tree)
      seeds.append(Data([2]) + manifest.encoded)
      seeds.append(Data([3]) + manifest.encoded.dropLast(112))
    }
    return seeds
  }
}
