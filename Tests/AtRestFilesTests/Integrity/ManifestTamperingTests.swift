import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct ManifestTamperingTests {
  private let key = SecretBox(SecretBytes(Data(repeating: 5, count: 32)))

  /// Returns an entry's bytes.
  private func file(_ path: String, kind: UInt8 = 1, mode: UInt16 = 0o644) -> Data {
    var data = Data([kind, UInt8(mode >> 8), UInt8(mode & 0xff)])
    data += counted(path)
    if kind == 1 { data += Data(count: 8 + 32) }
    if kind == 3 { data += counted("target") }
    return data
  }

  private func counted(_ text: String) -> Data {
    withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { Data($0) } + Data(text.utf8)
  }

  /// Returns a manifest of these entries, with the stamp of another one. Decoding precedes
  /// checking.
  private func manifest(_ entries: Data..., count: UInt32? = nil) throws -> Data {
    let folder = try StampingFolder()
    let stamp = try FileStamper(hmacKey: key.bytes).manifest(of: folder.url).encoded.dropFirst(14)
    let number = count ?? UInt32(entries.count)
    var list = Data("AtRestMF".utf8) + [0, 1]
    list += withUnsafeBytes(of: number.bigEndian) { Data($0) }
    return list + entries.reduce(Data(), +) + stamp
  }

  @Test func everyByteCounts() throws {
    let folder = try StampingFolder()
    try folder.write("file", "contents")
    try folder.link("link", to: "file")
    let verifier = try FileStampVerifier(hmacKey: key.bytes)
    let whole = try FileStamper(hmacKey: key.bytes).manifest(of: folder.url).encoded
    func check(_ bytes: Data) throws { try verifier.check(FolderManifest(decoding: bytes)) }
    try check(whole)
    for offset in whole.indices {
      let error = stampError { try check(whole.flipping(offset, bit: offset % 8)) }
      #expect(error.map { stampRefusals.contains($0.code) } == true, "byte \(offset)")
    }
    for count in 0..<whole.count {
      let error = stampError { try check(whole.prefix(count)) }
      #expect(error.map { stampRefusals.contains($0.code) } == true, "\(count) bytes")
    }
  }

  @Test func pathsThatLeadOutAreRefused() throws {
    _ = try FolderManifest(decoding: manifest(file("a"), file("a/b")))
    let long = String(repeating: "x", count: 4097)
    for path in [
      "", "/", "/etc/passwd", "..", "../a", "a/..", "a/../b", ".", "./a", "a/.", "a//b", "a/",
      "a\0b", long,
    ] {
      #expect(
        stampError { try FolderManifest(decoding: manifest(file(path))) }?.code == .damaged,
        "\(path.prefix(20))")
    }
    _ = try FolderManifest(decoding: manifest(file("..a"), file("a..")))
    _ = try FolderManifest(decoding: manifest(file(String(long.dropLast()))))
  }

  @Test func disorderIsRefused() throws {
    for entries in [(file("b"), file("a")), (file("a"), file("a"))] {
      #expect(
        stampError { try FolderManifest(decoding: manifest(entries.0, entries.1)) }?.code
          == .damaged)
    }
  }

  @Test func whatThereIsNotIsRefused() throws {
    _ = try FolderManifest(decoding: manifest(file("a", kind: 3, mode: 0)))
    for entry in [
      file("a", kind: 0), file("a", kind: 8), file("a", mode: 0o10000),
      file("a", kind: 3, mode: 0o777),
    ] {
      #expect(stampError { try FolderManifest(decoding: manifest(entry)) }?.code == .damaged)
    }
  }

  @Test func hostileCountsAreRefused() throws {
    for count: UInt32 in [0, 2, 1 << 24, .max] {
      #expect(
        stampError { try FolderManifest(decoding: manifest(file("a"), count: count)) }?.code
          == .damaged)
    }
    _ = try FolderManifest(decoding: manifest(file("a"), count: 1))
  }

  @Test func aManifestWithTheStampOfAnotherIsRefused() throws {
    let folder = try StampingFolder()
    let verifier = try FileStampVerifier(hmacKey: key.bytes)
    let forged = try FolderManifest(decoding: manifest(file("a")))
    #expect(stampError { try verifier.check(forged) }?.code == .damaged)
    #expect(stampError { try verifier.compare(folder.url, with: forged) }?.code == .damaged)
    try verifier.check(FolderManifest(decoding: manifest()))
  }

  @Test func aStampedFileIsNoManifest() throws {
    let folder = try StampingFolder()
    let stamper = try FileStamper(hmacKey: key.bytes)
    let whole = try stamper.manifest(of: folder.url).encoded
    let file = try folder.write("file", whole.prefix(14))
    try stamper.appendStamp(to: file)
    let bytes = try Data(contentsOf: file)
    #expect(stampError { try FolderManifest(decoding: bytes) }?.code == .damaged)
    #expect(
      stampError { try FolderManifest(decoding: Data("text".utf8)) }?.code == .notStamped)
  }
}
