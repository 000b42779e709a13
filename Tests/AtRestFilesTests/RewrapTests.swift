import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// A file gets other readers, and from then on only they can read it.
@Suite struct RewrapTests {
  private static let data = TestFolder.bytes(5_000)

  private static func phrase(_ text: String) throws -> ProtectedFiles {
    try ProtectedFiles(passphrase: SecretBytes(utf8: text), kdf: .forTesting)
  }

  @Test(arguments: FileProtection.allCases, FileProtection.allCases) func fromClassToClass(
    _ from: FileProtection, _ to: FileProtection
  ) throws {
    let folder = try TestFolder()
    try folder.files.write(Self.data, to: folder.path("a"), protection: from)
    try folder.files.setProtection(to, of: folder.path("a"))
    #expect(try FileDescription(of: folder.path("a")).protection == to)
    #expect(try folder.files.read(folder.path("a")) == Self.data)
    folder.keybag.lock()
    let readable = to == .none || to == .completeUntilFirstAuthentication
    #expect(refusal { try folder.files.read(folder.path("a")) } == (readable ? nil : .locked))
    #expect(folder.names == ["a"])
  }

  @Test func throughAllTheWaysIn() throws {
    let folder = try TestFolder()
    try folder.files.write(Self.data, to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.write(Data("changed".utf8), at: 1_020)
    try handle.close()
    var expected = Self.data
    expected.replaceSubrange(1_020..<1_027, with: Data("changed".utf8))
    let phrase = try Self.phrase("phrase")
    try folder.files.rewrap(folder.path("a"), for: phrase)
    #expect(try phrase.read(folder.path("a")) == expected)
    #expect(refusal { try folder.files.read(folder.path("a")) } == .notPermitted)
    // Two of the longest slots: the header outgrows its space, and the file is written again.
    let first = try PrivateKey.generate(.p256)
    let second = try PrivateKey.generate(.p256)
    let recipients = [first.publicKey, second.publicKey]
    let before = StoredBytes(try folder.stored("a"))
    #expect(chmod(folder.path("a").path, 0o640) == 0)
    try phrase.rewrap(
      folder.path("a"), for: ProtectedFiles(recipients: recipients))
    let after = StoredBytes(try folder.stored("a"))
    #expect(before.headerCount == 256 && after.headerCount == 512)
    #expect(
      before.bytes[before.headerCount...].elementsEqual(after.bytes[after.headerCount...]))
    #expect(refusal { try phrase.read(folder.path("a")) } == .notPermitted)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("a").path)
    #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    #expect(try ProtectedFiles(identity: second).read(folder.path("a")) == expected)
    let reader = try ProtectedFiles(identity: first)
    #expect(try reader.read(folder.path("a")) == expected)
    // The file returns to the store.
    try reader.rewrap(folder.path("a"), for: folder.files, protection: .complete)
    #expect(try folder.files.read(folder.path("a")) == expected)
    #expect(refusal { try reader.read(folder.path("a")) } == .notPermitted)
    #expect(folder.names == ["a"])
  }

  @Test func everyWrongKeyIsRefusedInItsOwnWords() throws {
    let folder = try TestFolder()
    let stranger = try TestFolder()
    let key = try PrivateKey.generate(.x25519)
    let publicKey = key.publicKey
    let phrase = try Self.phrase("phrase")
    try folder.files.write(Self.data, to: folder.path("store"))
    try phrase.write(Self.data, to: folder.path("phrase"))
    try ProtectedFiles(recipients: [publicKey]).write(Self.data, to: folder.path("key"))
    let cases: [(ProtectedFiles, String, AtRestError.Code)] = [
      (stranger.files, "store", .notPermitted),
      (folder.files, "phrase", .notPermitted),
      (phrase, "store", .notPermitted),
      (try Self.phrase("wrong"), "phrase", .authenticationFailed),
      (try ProtectedFiles(recipients: [publicKey]), "key", .notPermitted),
      (try ProtectedFiles(identity: .generate(.x25519)), "key", .notPermitted),
    ]
    var messages: Set<String> = []
    for (files, name, code) in cases {
      do {
        _ = try files.read(folder.path(name))
        Issue.record("\(name) opened")
      } catch let error as AtRestError {
        #expect(error.code == code)
        messages.insert(
          error.message.replacingOccurrences(of: folder.path(name).path, with: "FILE"))
      }
    }
    #expect(messages.count == 6, "\(messages)")
    // Control: the passphrase opens it.
    #expect(try phrase.read(folder.path("phrase")) == Self.data)
    #expect(try ProtectedFiles(identity: key).read(folder.path("key")) == Self.data)
  }

  @Test func aFileThatIsBeingChangedStays() throws {
    let folder = try TestFolder()
    try folder.files.write(Self.data, to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    #expect(refusal { try folder.files.setProtection(.none, of: folder.path("a")) } == .busy)
    handle.discard()
    try folder.files.setProtection(.none, of: folder.path("a"))
  }

  @Test func aCostThatNoReaderAcceptsIsRefused() throws {
    #expect(
      refusal {
        try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .scrypt(logN: 21))
      } == .invalidArgument)
    _ = try ProtectedFiles(passphrase: SecretBytes(utf8: "phrase"), kdf: .scrypt(logN: 20))
    #expect(refusal { try ProtectedFiles(passphrase: SecretBytes(utf8: "")) } == .invalidArgument)
  }
}
