import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// Files from before the first passcode, which creates new class keys.
@Suite struct FormerKeysTests {
  private static let contents = Data("contents".utf8)
  private static var passcode: SecretBytes { SecretBytes(utf8: "the first passcode") }
  private let folder: TestFolder
  private let storage = MemoryStorage()
  private let device = MemoryDeviceKey()
  private let keybag: Keybag

  init() throws {
    folder = try TestFolder()
    keybag = try Keybag.create(
      in: storage, device: device, passcode: nil, options: .init(kdf: .forTesting))
  }

  private func setPasscode() throws {
    try keybag.setPasscode(Self.passcode, options: .init(kdf: .forTesting))
  }

  /// The same store, opened by another process.
  private func openedAnew() throws -> Keybag {
    let keybag = try Keybag.open(in: storage, device: device)
    try keybag.unlock(passcode: Self.passcode)
    return keybag
  }

  /// Returns true if a key from before the passcode opens a file's slot.
  private func opens(_ name: String, with former: borrowing SecretBytes) throws -> Bool {
    let slot = try folder.stored(name)[StoredBytes.slotsOffset + 20..<StoredBytes.slotsOffset + 60]
    return (try? WrappingKey(former.duplicate()).unwrap(slot, name: "key").count) == 32
  }

  @Test(arguments: FileProtection.allCases)
  func theyOpenAfterIt(_ protection: FileProtection) throws {
    let url = folder.path("f")
    try ProtectedFiles(keybag).write(Self.contents, to: url, protection: protection)
    try setPasscode()
    for keybag in [keybag, try openedAnew()] {
      let files = ProtectedFiles(keybag)
      #expect(try files.read(url) == Self.contents)
      #expect(try files.read(url, requiring: protection) == Self.contents)
    }
  }

  @Test(arguments: FileProtection.allCases)
  func theyOpenAfterTheyWereMovedToThePresentKeys(_ protection: FileProtection) throws {
    let url = folder.path("f")
    try ProtectedFiles(keybag).write(Self.contents, to: url, protection: protection)
    try setPasscode()
    try ProtectedFiles(keybag).setProtection(protection, of: url)
    #expect(try ProtectedFiles(openedAnew()).read(url) == Self.contents)
  }

  /// An attacker kept a class key from before the passcode.
  @Test(arguments: FileProtection.allCases.filter { $0 != .completeUnlessOpen })
  func aFormerKeyOpensNothingNew(_ protection: FileProtection) throws {
    let former = try keybag.derive(
      Purpose("atrest.class-wrap.v1"), from: KeyClass(of: protection))
    try ProtectedFiles(keybag).write(Self.contents, to: folder.path("old"), protection: protection)
    try setPasscode()
    // Control: the key is the one that wraps the old file's slot.
    #expect(try opens("old", with: former))
    try ProtectedFiles(keybag).write(Self.contents, to: folder.path("new"), protection: protection)
    #expect(try !opens("new", with: former))
    try ProtectedFiles(keybag).setProtection(protection, of: folder.path("old"))
    #expect(try !opens("old", with: former))
  }

  @Test func theFormerPublicKeyOfClassBWrapsNothingNew() throws {
    let former = try keybag.unlessOpenPublicKey()
    try setPasscode()
    #expect(try keybag.unlessOpenPublicKey() != former)
  }
}

extension KeyClass {
  fileprivate init(of protection: FileProtection) {
    self =
      switch protection {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .completeUntilFirstAuthentication: .completeUntilFirstAuthentication
      case .none: .noProtection
      }
  }
}
