import AtRest
import AtRestSimulation
import Foundation
import Testing

/// A vault on a simulated device, in a folder that is removed with it.
final class TestVault {
  let device: SimulatedDevice
  let folder: URL
  var options = Vault.Options()

  init(passcode: String? = "1234") throws {
    device = try SimulatedDevice(passcode: passcode)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("vault-\(UUID().uuidString)", isDirectory: true)
    options.passphraseKDF = .forTesting
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open() throws -> Vault {
    try Vault.open(in: folder, keychain: device.keychain(), options: options)
  }

  /// The accounts of all generic passwords, sorted.
  func allItems() throws -> [String] {
    try device.keychain().items(matching: KeychainQuery(.genericPassword))
      .compactMap(\.attributes.account).sorted()
  }

  /// Returns the number of items with an account's name, in any service.
  func itemCount(of account: String) throws -> Int {
    try device.keychain().items(matching: KeychainQuery(.genericPassword))
      .filter { $0.attributes.account == account }.count
  }

  /// The files of values, wherever they are.
  var valueFiles: [String] {
    let files = FileManager.default.enumerator(atPath: folder.appendingPathComponent("values").path)
    return (files?.allObjects as? [String] ?? []).filter { $0.contains("/") }
  }
}

extension DataKind {
  /// A kind that is always stored in a file.
  static let attachment = DataKind("attachment", .consumerGrade, place: .file)
}

extension VaultRecord where Value == String {
  static var note: VaultRecord { VaultRecord("note", .document) }
  static var session: VaultRecord { VaultRecord("session", .token) }
}

extension VaultRecord where Value == Data {
  static var report: VaultRecord { VaultRecord("report", .document) }
  static var attachment: VaultRecord { VaultRecord("attachment", .attachment) }
  static var genome: VaultRecord { VaultRecord("genome", .genetic) }
}

let passphrase = "wren under 7 copper kettles"

func phrase(_ text: String = passphrase) -> SecretBytes { SecretBytes(utf8: text) }

/// Expects an error with the given code, and with a message and a remedy.
func expect(
  _ code: AtRestError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: AtRestError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.remedy.isEmpty == false, sourceLocation: sourceLocation)
}
