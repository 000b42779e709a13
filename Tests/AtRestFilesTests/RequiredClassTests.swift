import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// Readers that require the class they expect.
@Suite struct RequiredClassTests {
  private static let contents = Data("contents".utf8)
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.unlock()
  }

  /// Returns the result of every way to read a file, with or without a required class.
  private static func refusals(
    _ files: ProtectedFiles, _ url: URL, requiring required: FileProtection?, in folder: TestFolder
  ) async throws -> Set<AtRestError.Code?> {
    let out = folder.path("out-\(UUID().uuidString)")
    let stored = try Data(contentsOf: url)
    var codes: Set<AtRestError.Code?> = [
      refusal { try files.read(url, requiring: required) },
      refusal { try files.open(url, requiring: required) },
      refusal { try files.open(url, for: .updating, requiring: required) },
      refusal { try files.verify(url, requiring: required) },
      refusal { try files.unprotect(.file(url), to: .file(out), requiring: required) },
      refusal {
        try files.unprotect(
          .data(stored), to: .file(out, replacing: true), requiring: required)
      },
      refusal {
        try files.unprotect(
          [.init(from: .file(url), to: .file(out, replacing: true))], requiring: required)[0].get()
      },
    ]
    codes.insert(await code { _ = try await files.read(url, requiring: required) })
    codes.insert(await code { _ = try await files.open(url, requiring: required) })
    codes.insert(await code { try await files.verify(url, requiring: required) })
    codes.insert(
      await code {
        try await files.unprotect(
          .file(url), to: .file(out, replacing: true), requiring: required)
      })
    return codes
  }

  private static func code<Result>(_ body: () async throws -> Result) async -> AtRestError.Code? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "\(error)")
    }
  }

  @Test(arguments: FileProtection.allCases, FileProtection.allCases)
  func aFileOfAnotherClassIsRefused(
    _ protection: FileProtection, _ required: FileProtection
  ) async throws {
    let url = folder.path("f")
    try await folder.files.write(Self.contents, to: url, protection: protection)
    let expected: AtRestError.Code? = protection == required ? nil : .otherClass
    #expect(
      try await Self.refusals(folder.files, url, requiring: required, in: folder) == [expected])
    // Control: without a requirement, it opens.
    #expect(try await Self.refusals(folder.files, url, requiring: nil, in: folder) == [nil])
  }

  @Test func theMessageNamesBothClasses() throws {
    let url = folder.path("f")
    try folder.files.write(Self.contents, to: url, protection: FileProtection.none)
    let text = message { try folder.files.read(url, requiring: .complete) }
    #expect(text.contains("class none") && text.contains("class complete "))
  }

  /// The error is neither that of a locked nor that of a damaged file: the class is checked first.
  @Test func theRefusalIsNotConfusedWithALock() throws {
    let url = folder.path("f")
    try folder.files.write(Self.contents, to: url, protection: .complete)
    folder.keybag.lock()
    #expect(refusal { try folder.files.read(url, requiring: FileProtection.none) } == .otherClass)
    // Control: the required class is locked.
    #expect(refusal { try folder.files.read(url, requiring: .complete) } == .locked)
  }

  @Test func otherWaysThanAStoreAreRefused() async throws {
    let url = folder.path("f")
    let byPhrase = try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .forTesting)
    try await byPhrase.write(Self.contents, to: url)
    #expect(
      try await Self.refusals(byPhrase, url, requiring: .complete, in: folder) == [.otherClass])
    let pair = try PrivateKey.generate(.x25519)
    try await ProtectedFiles(recipients: [pair.publicKey]).write(Self.contents, to: url)
    let owner = try ProtectedFiles(identity: pair)
    #expect(
      try await Self.refusals(owner, url, requiring: .complete, in: folder) == [.otherClass])
    // Control: the owner can read it.
    #expect(try await owner.read(url) == Self.contents)
  }

  /// A header names the class in one slot, and another slot opens the file. Anyone who has the
  /// reader's public key can write it.
  @Test func onlyTheSlotOfTheClassIsUsed() throws {
    let pair = try PrivateKey.generate(.x25519)
    let publicKey = pair.publicKey
    let url = folder.path("f")
    try folder.files.write(Self.contents, to: url, protection: .complete)
    let bait = StoredBytes(try folder.stored("f"))
    let slot = bait.bytes[StoredBytes.slotsOffset..<StoredBytes.slotsOffset + 60]
    try ProtectedFiles(recipients: [publicKey]).write(Self.contents, to: url)
    var forged = StoredBytes(try folder.stored("f"))
    let own = Int(forged.integer(StoredBytes.slotsOffset, 2)) + 2
    let ownSlot = forged.bytes[StoredBytes.slotsOffset..<StoredBytes.slotsOffset + own]
    // The writer generated the file's key. The test gets it from the reader instead.
    let fileKey = try Self.fileKey(of: Data(ownSlot), pair)
    forged.set(StoredBytes.slotCountOffset, 1, to: 2)
    forged.bytes.replaceSubrange(
      StoredBytes.slotsOffset..<StoredBytes.slotsOffset + slot.count + own, with: slot + ownSlot)
    forged.authenticateHeader(fileKey)
    try forged.bytes.write(to: url)
    let owner = try ProtectedFiles(identity: pair)
    // Control: without a requirement, the second slot opens it.
    #expect(try owner.read(url) == Self.contents)
    #expect(try FileDescription(of: url).protection == .complete)
    #expect(refusal { try owner.read(url, requiring: .complete) } == .notPermitted)
    // The store's own slot is of another file's key.
    #expect(refusal { try folder.files.read(url, requiring: .complete) } == .damaged)
  }

  private static func fileKey(
    of slot: Data, _ pair: borrowing PrivateKey
  ) throws -> SecretBytes {
    let body = Data(slot.dropFirst(3 + 8))
    let ephemeral = Data(body.prefix(32))
    let agreed = try pair.sharedSecret(
      with: PublicKey(rawRepresentation: ephemeral, algorithm: .x25519))
    let context = ephemeral + (try pair.publicKey.rawRepresentation())
    return try WrappingKey(
      agreed.derive(Purpose("atrest.file.recipient-wrap.v1"), context: context)
    ).unwrap(body.dropFirst(32), name: "key")
  }

  @Test func aFileIsRewrappedFromTheRequiredClassAlone() throws {
    let url = folder.path("f")
    try folder.files.write(Self.contents, to: url, protection: FileProtection.none)
    let before = try folder.stored("f")
    #expect(
      refusal {
        try folder.files.rewrap(
          url, for: folder.files, protection: .complete, requiring: .completeUnlessOpen)
      } == .otherClass)
    #expect(try folder.stored("f") == before)
    try folder.files.rewrap(
      url, for: folder.files, protection: .complete, requiring: FileProtection.none)
    #expect(try folder.files.read(url, requiring: .complete) == Self.contents)
  }
}
