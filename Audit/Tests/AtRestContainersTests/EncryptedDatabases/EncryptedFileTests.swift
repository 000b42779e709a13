import AtRestFormats
import Foundation
import Testing

@testable import AtRestContainers

/// Files of OpenSSL and RNCryptor and archives with AES whose key lies beside them are opened with it and searched.
@Suite struct EncryptedFileTests {
  private func scan(
    _ files: [String: [UInt8]], _ canary: String = "never typed",
    _ change: (inout WalkLimits) -> Void = { _ in }
  ) throws -> ContainerScan.Result {
    var limits = WalkLimits.standard
    limits.passphraseTime = .seconds(60)
    change(&limits)
    return try ContainerScan(
      ContainerSource(files: files), canaries: [Canary(name: "1", value: canary)], limits: limits
    ).run()
  }

  private func places(_ result: ContainerScan.Result) -> [String] {
    result.discoveries.filter { if case .canary = $0.subject { true } else { false } }
      .map(\.locator.description)
  }

  private func file(_ result: ContainerScan.Result, _ fixture: EncryptedFixture) throws
    -> FileReport
  {
    try #require(result.summary.files.first { $0.locator.description == fixture.path })
  }

  @Test(arguments: EncryptedFixture.all) func aKeyOpensTheFile(_ fixture: EncryptedFixture) throws {
    let result = try scan(fixture.files(), "canary-of-\(fixture.name)")
    let opened = try #require(result.opened.first)
    #expect(opened.database.description == fixture.path && opened.format == fixture.format)
    #expect(opened.isPassphrase == fixture.isPassphrase)
    #expect(opened.key.locator.description == "Library/Preferences/a.plist › fileKey")
    let place = fixture.place.map { "\(fixture.path) › \(fixture.format) › \($0)" }
    #expect(places(result) == [place].compactMap(\.self))
    #expect(try file(result, fixture).isOpened)
    #expect(result.summary.isComplete || fixture.name == "mixed.zip")
  }

  @Test(arguments: EncryptedFixture.all)
  func withoutTheKeyItStaysClosed(_ fixture: EncryptedFixture) throws {
    let other = EncryptedFixture.all.first {
      $0.name != fixture.name && $0.isPassphrase == fixture.isPassphrase
    }
    let result = try scan(fixture.files(with: other), "canary-of-\(fixture.name)")
    #expect(result.opened.isEmpty && places(result).isEmpty)
    let file = try file(result, fixture)
    let tries = try #require(file.tries)
    #expect(file.type == .zip || file.verdict == .encrypted)
    #expect(fixture.isPassphrase ? tries.passphrases > 0 : tries.keys == 1)
    #expect(tries.passphrases == tries.allPassphrases)
  }

  /// The padding of a wrong key is right by chance, so it alone does not prove a key.
  @Test func whatIsNotProvedIsNotClaimed() throws {
    let fixture = EncryptedFixture.unproved
    let result = try scan(fixture.files())
    #expect(result.opened.isEmpty)
    #expect(try file(result, fixture).tries?.allPassphrases ?? 0 > 0)
  }

  @Test(arguments: ["md5-128.enc", "noise.enc"]) func wrongKeysProveNothing(_ name: String) throws {
    let fixture = try #require(
      (EncryptedFixture.all + [EncryptedFixture.unproved]).first { $0.name == name })
    let file = try #require(try EncryptedOpenSSL(ByteSource(fixture.bytes)))
    var random = SplitMix(state: 3)
    for _ in 0..<10_000 {
      let key = (0..<12).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
      #expect(try file.open(withKey: key) == nil)
    }
  }

  @Test func entriesUnderAnotherPassphraseAreNamed() throws {
    let fixture = try #require(EncryptedFixture.archives.last)
    let result = try scan(fixture.files())
    let problems = result.summary.problems.map { "\($0.locator): \($0.reason)" }
    #expect(
      problems == ["Documents/mixed.zip › AES › other.txt: The zip entry has another passphrase."])
    let files = result.summary.files.map(\.locator.description)
    #expect(files == files.sorted() && files.contains("Documents/mixed.zip › plain.txt"))
    let note = result.summary.files.first {
      "\($0.locator)".hasSuffix("› AES › Documents/note.txt")
    }
    #expect(note?.verdict == .plaintext)
  }

  @Test func whatIsEncryptedWithoutAESIsSaid() throws {
    let fixture = EncryptedFixture.untried
    let result = try scan(fixture.files())
    #expect(result.opened.isEmpty)
    #expect(try file(result, fixture).tries == nil)
    #expect(
      result.summary.problems.map(\.reason) == [
        "The zip entry is encrypted without AES, so no keys were tried on it."
      ])
  }

  @Test func aDatabaseOfRealmIsNotTried() throws {
    var random = SplitMix(state: 9)
    let noise = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }
    let result = try scan(["Documents/default.realm": noise, "k.txt": Array("a key".utf8)])
    #expect(result.summary.files.allSatisfy { $0.tries == nil })
    #expect(
      result.summary.problems.map(\.reason) == [
        "No keys were tried on the file: It may be a database of Realm, which is not opened."
      ])
  }

  /// One hash takes microseconds, and PBKDF2 does not.
  @Test func withoutTimeOnlyHashesAreTried() throws {
    for (name, isOpened) in [
      ("sha256-256.enc", true), ("pbkdf2-sha256-256.enc", false), ("aes-256.zip", false),
      ("passphrase-3.rnc", false), ("key-3.rnc", true),
    ] {
      let fixture = try #require(EncryptedFixture.all.first { $0.name == name })
      let result = try scan(fixture.files()) { $0.passphraseTime = .zero }
      #expect(result.opened.isEmpty != isOpened, "\(name)")
      let tries = try file(result, fixture).tries
      #expect(isOpened || tries.map { $0.passphrases == 0 && $0.allPassphrases > 0 } == true)
    }
  }

  @Test func aKeyInAnOpenedArchiveOpensAFile() throws {
    let outer = EncryptedFixture.archives[0]
    let inner = try #require(EncryptedFixture.rncryptor.first { $0.name == "key-2.rnc" })
    let result = try scan(
      outer.files().merging([inner.path: inner.bytes]) { $1 }, "canary-of-key-2.rnc")
    #expect(
      result.opened.map(\.key.locator.description) == [
        "Library/Preferences/a.plist › fileKey", "Documents/aes-128.zip › AES › list.json › k",
      ])
    #expect(places(result) == ["Documents/key-2.rnc › RNCryptor 2 › line 2"])
  }

  /// A small file of random bytes is hardly ever taken for one of RNCryptor.
  @Test func randomFilesAreNoneOfRNCryptor() throws {
    var random = SplitMix(state: 5)
    var count = 0
    for size in 66..<2066 {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      if try RNCryptorFile(ByteSource(bytes)) != nil { count += 1 }
    }
    #expect(count == 0)
    // Numbers of a few bytes begin like a file of it.
    let numbers: [UInt8] = (0..<66).map { $0 % 4 == 0 ? $0 / 4 + 2 : 0 }
    #expect(try RNCryptorFile(ByteSource(numbers)) == nil)
  }

  @Test(arguments: ["sha256-256.enc", "aes-256.zip", "mixed.zip", "key-3.rnc", "one-key-3.rnc"])
  func damagedFilesAreSurvived(_ name: String) throws {
    let fixture = try #require(EncryptedFixture.all.first { $0.name == name })
    let files = try fixture.files()
    let whole = try fixture.bytes
    var random = SplitMix(state: 13)
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      }
      let result = try scan(files.merging([fixture.path: bytes]) { $1 }) {
        $0.passphraseTime = .milliseconds(20)
      }
      #expect(result.summary.files.contains { $0.locator.description == fixture.path })
    }
  }

  /// The first block does not concern the padding, so only the HMAC shows the change.
  @Test(arguments: ["passphrase-2.rnc", "passphrase-3.rnc", "one-key-3.rnc"])
  func aChangedFileOfRNCryptorStaysClosed(_ name: String) throws {
    let fixture = try #require(EncryptedFixture.all.first { $0.name == name })
    var bytes = try fixture.bytes
    bytes[fixture.isPassphrase ? 40 : 24] ^= 1
    let result = try scan(fixture.files().merging([fixture.path: bytes]) { $1 })
    #expect(result.opened.isEmpty)
    #expect(try file(result, fixture).tries != nil)
  }

  /// An entry that is changed does not authenticate, so nothing of it is shown.
  @Test func aChangedEntryIsNotDecrypted() throws {
    let fixture = try #require(EncryptedFixture.archives.first { $0.name == "aes-256.zip" })
    var files = try fixture.files()
    var bytes = try fixture.bytes
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("list.json".utf8)) })
    bytes[start + 60] ^= 1
    files[fixture.path] = bytes
    let result = try scan(files, "canary-of-aes-256.zip")
    #expect(places(result).count == 1)
    #expect(result.summary.problems.map(\.reason) == ["The zip entry is damaged."])
  }
}
