import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// The answer of a store to each of its files that is missing, is empty, or is older than what refers to
/// it: `docs/Architecture.md`, *When a file is missing*.
@Suite struct MissingFileTests {
  /// What happens to a file.
  enum Loss: String, CaseIterable {
    case missing, empty, older
  }

  /// A file, and the code with which the store is refused after each loss, or nil if it opens.
  struct Row: Sendable, CustomTestStringConvertible {
    /// The path, with `STORE` for the identity of the store.
    let file: String
    let codes: [Loss: AtRestError.Code]
    var testDescription: String { file }

    init(
      _ file: String, missing: AtRestError.Code?, empty: AtRestError.Code?,
      older: AtRestError.Code?
    ) {
      self.file = file
      codes = [.missing: missing, .empty: empty, .older: older].compactMapValues { $0 }
    }
  }

  static let rows = [
    Row("store/keybag", missing: .damaged, empty: .damaged, older: .rolledBack),
    Row("store/keychain.db", missing: .rolledBack, empty: .rolledBack, older: .rolledBack),
    Row("store/lock", missing: nil, empty: nil, older: nil),
    Row("device/device.key", missing: .deviceMissing, empty: .damaged, older: nil),
    Row("device/STORE.keybag", missing: .damaged, empty: .damaged, older: .rolledBack),
    Row("device/STORE.counter", missing: .rolledBack, empty: .damaged, older: nil),
    Row("device/STORE.attempts", missing: .throttled, empty: .throttled, older: nil),
    Row("device/STORE.keybag.lock", missing: nil, empty: nil, older: nil),
    Row("device/CACHEDIR.TAG", missing: nil, empty: nil, older: nil),
  ]

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-missing-\(UUID().uuidString)")

  private func passcode(_ text: String) -> SecretBytes { SecretBytes(utf8: text) }

  /// Makes a store whose passcode and items changed since a copy was made. Returns its identity.
  private func prepare() throws -> StoreIdentity {
    let (store, device) = (
      folder.appendingPathComponent("now/store"), folder.appendingPathComponent("now/device")
    )
    let keybag = try Keybag.create(
      at: store, device: FileDeviceKey.create(in: device), passcode: passcode("first one"),
      options: .init(kdf: .forTesting))
    let identity = keybag.identity
    var keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    try keychain.add(.genericPassword(service: "s", account: "one"), secret: passcode("1"))
    keychain.close()
    keybag.close()
    let now = folder.appendingPathComponent("now")
    try FileManager.default.copyItem(at: now, to: folder.appendingPathComponent("before"))
    let again = try Keybag.open(at: store, device: FileDeviceKey(in: device))
    try again.changePasscode(from: passcode("first one"), to: passcode("second one"))
    try again.unlock(passcode: passcode("second one"))
    keychain = try Keychain.open(again, identity: ApplicationIdentity("com.example.app"))
    try keychain.add(.genericPassword(service: "s", account: "two"), secret: passcode("2"))
    keychain.close()
    again.close()
    return identity
  }

  private func use() throws {
    let (store, device) = (
      folder.appendingPathComponent("now/store"), folder.appendingPathComponent("now/device")
    )
    let keybag = try Keybag.open(at: store, device: FileDeviceKey(in: device))
    defer { keybag.close() }
    try keybag.unlock(passcode: passcode("second one"))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    defer { keychain.close() }
    let secret = try keychain.secret(for: .genericPassword(service: "s", account: "two"))
    #expect(Data(copying: secret) == Data("2".utf8))
  }

  private func code() -> AtRestError.Code? {
    do {
      try use()
      return nil
    } catch {
      return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "\(error)")
    }
  }

  @Test(arguments: rows, Loss.allCases)
  func theAnswerIsTheOneInTheTable(_ row: Row, _ loss: Loss) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let identity = try prepare()
    let name = row.file.replacingOccurrences(of: "STORE", with: identity.text)
    let file = folder.appendingPathComponent("now/\(name)")
    #expect(FileManager.default.fileExists(atPath: file.path))
    try FileManager.default.removeItem(at: file)
    switch loss {
    case .missing: break
    case .empty:
      #expect(
        FileManager.default.createFile(
          atPath: file.path, contents: Data(), attributes: [.posixPermissions: 0o600]))
    case .older:
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent("before/\(name)"), to: file)
    }
    #expect(code() == row.codes[loss])
    // Nothing is made new in the place of the file, except what has no contents of its own.
    if row.codes[.missing] != nil, loss == .missing, row.codes[loss] != .throttled {
      #expect(!FileManager.default.fileExists(atPath: file.path) || row.file == "store/keychain.db")
    }
  }

  /// The control: without a loss, the store opens.
  @Test func withoutALossTheStoreOpens() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try prepare()
    #expect(code() == nil)
  }
}
