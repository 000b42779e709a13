import AtRest
import Foundation

/// The vault that was written once by version 1 of the formats, and its values.
enum FrozenVault {
  static let passcode = "the frozen passcode"
  static let phrase = "wren under 7 copper kettles"
  static let identity = ApplicationIdentity("com.example.frozen")

  static let note = VaultRecord<String>("note", .document)
  static let file = VaultRecord<Data>("report", .document)
  static let limited = VaultRecord<String>(
    "limited", .document, keep: Retention(until: Date(timeIntervalSince1970: 64_000_000_000)))
  static let counted = VaultRecord<String>("counted", .document, keep: Retention(uses: 9))
  static let secret = VaultRecord<Data>("genome", .genetic)
  static let message = VaultRecord<String>("message", .message)
  static let contents = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  /// The options with which the vault is opened, including the recipe for the key of sensitive
  /// data.
  static var options: Vault.Options {
    var options = Vault.Options()
    options.passphraseKDF = .forTesting
    options.compositeKDF = .forTesting
    options.compositeKey = CompositeKey([
      .deviceIdentifier, .server { SecretBytes(utf8: "the server's part") },
    ])
    return options
  }

  /// Writes `device`, `store` and `vault` into a folder.
  static func make(in folder: URL) throws {
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let keybag = try Keybag.create(
      at: folder.appendingPathComponent("store"), device: device,
      passcode: SecretBytes(utf8: passcode), options: Keybag.Options(kdf: .forTesting))
    let keychain = try Keychain.open(keybag, identity: identity)
    let vault = try Vault.open(
      in: folder.appendingPathComponent("vault"), keychain: keychain, options: options)
    try vault.device.store("of the device", in: note)
    try vault.device.preferences.set(7, forKey: "number")
    let eva = try vault.logIn("Éva")
    try eva.setPassphrase(SecretBytes(utf8: phrase))
    try eva.store("of Éva", in: note)
    try eva.store(contents, in: file)
    try eva.store("limited", in: limited)
    try eva.store("counted", in: counted)
    _ = try eva.value(in: counted)
    try eva.store(Data([1, 2, 3]), in: secret)
    try eva.store("composite", in: message)
    let gone = try vault.logIn("gone")
    try gone.store("gone", in: note)
    try gone.logOut()
    keychain.close()
    for part in ["device", "store", "vault"] {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent(part), includingPropertiesForKeys: nil)
      for file in files
      where ["lock", "writing"].contains(file.lastPathComponent)
        || file.lastPathComponent.hasSuffix(".lock")
        || file.lastPathComponent.hasPrefix("place-")
      { try FileManager.default.removeItem(at: file) }
    }
  }
}
