import AtRest
import AtRestSimulation
import Foundation
import Testing

/// The view of an attacker who has copies of a vault's folder and of the store behind it, and knows
/// the passcode.
@Suite struct TakenVaultTests {
  private static var message: VaultRecord<String> { VaultRecord("message", .message) }
  private static let passcode = "correct horse battery"

  /// The folders of a store, its device and a vault, with a value of each grade.
  private final class Place {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("vault-taken-\(UUID().uuidString)", isDirectory: true)
    var options = Vault.Options()

    init() throws {
      options.passphraseKDF = .forTesting
      options.compositeKey = CompositeKey([
        .deviceIdentifier, .server { SecretBytes(utf8: "of the program") },
      ])
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func fill() throws {
      let keybag = try Keybag.create(
        at: url("store"), device: FileDeviceKey.openOrCreate(in: url("device")),
        passcode: SecretBytes(utf8: TakenVaultTests.passcode),
        options: Keybag.Options(kdf: .forTesting))
      defer { keybag.close() }
      let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
      defer { keychain.close() }
      let eva = try Vault.open(in: url("vault"), keychain: keychain, options: options).logIn("eva")
      try eva.store("a note", in: .note)
      try eva.store(Data("a report ".utf8) + Data(count: 20_000), in: .report)
      try eva.store("a message", in: TakenVaultTests.message)
      try eva.setPassphrase(phrase())
      try eva.store(Data("a genome".utf8), in: .genome)
    }

    func url(_ part: String) -> URL { folder.appendingPathComponent(part) }

    /// Opens copies of the folders, and the vault in them.
    func open(
      device: URL, withRecipe: Bool, _ body: (Compartment) throws -> Void
    ) throws {
      let copy = url("copy-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      for part in ["store", "vault"] {
        try FileManager.default.copyItem(at: url(part), to: copy.appendingPathComponent(part))
      }
      let keybag = try Keybag.open(
        at: copy.appendingPathComponent("store"), device: FileDeviceKey.openOrCreate(in: device))
      defer { keybag.close() }
      try keybag.unlock(passcode: SecretBytes(utf8: TakenVaultTests.passcode))
      let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
      defer { keychain.close() }
      var options = options
      if !withRecipe { options.compositeKey = nil }
      try body(
        Vault.open(
          in: copy.appendingPathComponent("vault"), keychain: keychain, options: options
        ).logIn("eva"))
    }
  }

  @Test func withTheDeviceFolderTheGradesDecide() throws {
    let place = try Place()
    try place.fill()
    try place.open(device: place.url("device"), withRecipe: false) { eva in
      let (note, report) = try (eva.value(in: .note), eva.value(in: .report))
      #expect(note == "a note" && report.count == 20_009)
      expect(.invalidArgument) { _ = try eva.value(in: Self.message) }
      expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
      expect(.authenticationFailed) { try eva.unlock(passphrase: phrase("wrong")) }
      expect(.passphraseRequired) { _ = try eva.value(in: .genome) }
    }
    // Controls: the recipe of the program, and the passphrase.
    try place.open(device: place.url("device"), withRecipe: true) { eva in
      #expect(try eva.value(in: Self.message) == "a message")
      try eva.unlock(passphrase: phrase())
      #expect(try eva.value(in: .genome) == Data("a genome".utf8))
    }
  }

  @Test func onAnotherDeviceNothingOpens() throws {
    let place = try Place()
    try place.fill()
    let error = #expect(throws: AtRestError.self) {
      try place.open(device: place.url("other"), withRecipe: true) { _ in }
    }
    #expect(error?.refusal == .damaged)
    // The vault's folder with a store of the attacker's own.
    let other = try SimulatedDevice(passcode: "1234")
    expect(.notPermitted) {
      _ = try Vault.open(
        in: place.url("vault"), keychain: other.keychain(), options: place.options)
    }
    let files = FileManager.default.enumerator(
      at: place.url("vault"), includingPropertiesForKeys: nil)
    for case let file as URL in try #require(files) {
      guard let stored = try? Data(contentsOf: file) else { continue }
      for word in ["a note", "a report", "a message", "a genome"] {
        #expect(stored.range(of: Data(word.utf8)) == nil, "\(file.lastPathComponent)")
      }
    }
    // Control: its own device opens it.
    try place.open(device: place.url("device"), withRecipe: true) { eva in
      let note = try eva.value(in: .note)
      #expect(note == "a note")
    }
  }
}
