import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// Files of a class that further readers can open.
@Suite struct FurtherReadersTests {
  private static let contents = Data("contents".utf8)
  private let folder: TestFolder
  private let url: URL

  init() throws {
    folder = try TestFolder()
    url = folder.path("f")
  }

  private func phrase() throws -> ProtectedFiles {
    try ProtectedFiles(passphrase: SecretBytes(utf8: "wren under 7"), kdf: .forTesting)
  }

  @Test func eachReaderOpensThem() throws {
    let pair = try PrivateKey.generate(.p256)
    let files = folder.files.adding(readersOf: try phrase())
      .adding(readersOf: try ProtectedFiles(recipients: [pair.publicKey]))
    try files.write(Self.contents, to: url, protection: .complete)
    #expect(
      try FileDescription(of: url).readers.map(\.kind) == ["store", "passphrase", "recipient"])
    #expect(try folder.files.read(url) == Self.contents)
    #expect(try phrase().read(url) == Self.contents)
    #expect(try ProtectedFiles(identity: pair).read(url) == Self.contents)
    // Control: another passphrase.
    let wrong = try ProtectedFiles(passphrase: SecretBytes(utf8: "wren over 7"), kdf: .forTesting)
    #expect(refusal { try wrong.read(url) } == .authenticationFailed)
  }

  @Test func theClassHoldsForTheStoresKey() throws {
    let files = folder.files.adding(readersOf: try phrase())
    try files.write(Self.contents, to: url, protection: .complete)
    let open = try files.open(url)
    folder.keybag.lock()
    #expect(refusal { try open.read(upToCount: 4, at: 0) } == .locked)
    #expect(refusal { try files.read(url) } == .locked)
    #expect(try phrase().read(url) == Self.contents)
  }

  @Test func theClassCanBeRequired() throws {
    let files = folder.files.adding(readersOf: try phrase())
    try files.write(Self.contents, to: url, protection: .complete)
    #expect(try folder.files.read(url, requiring: .complete) == Self.contents)
    #expect(refusal { try folder.files.read(url, requiring: FileProtection.none) } == .otherClass)
    // Only the store's key shows the class.
    #expect(refusal { try phrase().read(url, requiring: .complete) } == .notPermitted)
  }

  @Test func aSecondPassphraseIsRefused() throws {
    let files = folder.files.adding(readersOf: try phrase()).adding(readersOf: try phrase())
    #expect(refusal { try files.write(Self.contents, to: url) } == .invalidArgument)
  }

  @Test func theNumberOfReadersIsBounded() throws {
    let pairs = try (0..<100).map { _ in try PrivateKey.generate(.x25519).publicKey }
    let files = folder.files.adding(readersOf: try ProtectedFiles(recipients: pairs))
    #expect(refusal { try files.write(Self.contents, to: url) } == .invalidArgument)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }
}
