import AtRest
import Foundation
import Testing

/// The vault, the report for its user and `atrest status` list the same risks.
@Suite struct RiskTests {
  private func vault(
    passcode: String?, _ body: (Vault, Keychain) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-risks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = StoreLocation(
      store: folder.appendingPathComponent("store").path,
      device: folder.appendingPathComponent("device").path)
    let device = try location.makeDevice(.file)
    let options = Keybag.Options(kdf: .forTesting)
    let keybag =
      if let passcode {
        try Keybag.create(
          at: location.store, device: device, passcode: SecretBytes(utf8: passcode),
          options: options)
      } else { try Keybag.create(at: location.store, device: device, options: options) }
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    defer { keychain.close() }
    try body(
      Vault.open(in: folder.appendingPathComponent("vault"), keychain: keychain), keychain)
  }

  @Test func theFoldersAndThePasscodeAreInAllOfThem() throws {
    try vault(passcode: nil) { vault, keychain in
      let ids = vault.risks.map(\.id)
      #expect(ids.contains("device-key-beside-store") && ids.contains("no-passcode"))
      #expect(ids.contains("software-device-key") && Set(ids).count == ids.count)
      // `atrest status` shows this list.
      #expect(DeviceRisks.list(of: keychain) == vault.risks)
      let report = try vault.logIn("eva").report()
      #expect(report.risks == vault.risks)
      for page in [report.page(.text), report.page(.html)] {
        #expect(page.contains("What protects your data less on this device"))
        #expect(page.contains("No passcode is set."))
        #expect(page.contains("The data and its key are on the same disk."))
      }
      let german = ReportTexts(language: "de", texts: ["risk.no-passcode": "Kein Passcode."])
      #expect(report.page(.text, texts: german).contains("Kein Passcode."))
    }
  }

  /// Control: with a passcode, its risk is in none of them.
  @Test func aPasscodeIsInNone() throws {
    try vault(passcode: "let me in") { vault, keychain in
      #expect(!vault.risks.contains { $0.id == "no-passcode" })
      let page = try vault.logIn("eva").report().page(.text)
      #expect(!page.contains("No passcode"))
    }
  }

  @Test func theRemedyOfNoPasscodeNamesWhatAPasscodeChanges() throws {
    try vault(passcode: nil) { vault, _ in
      let risk = try #require(vault.risks.first { $0.id == "no-passcode" })
      #expect(risk.remedy.contains("atrest-agent") && risk.remedy.contains("unlocks"))
    }
  }
}
