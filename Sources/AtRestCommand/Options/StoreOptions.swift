import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import Foundation

/// The folders of the store and of the device key.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store's folder. (default: ATREST_STORE, or the platform's data folder)",
      valueName: "folder"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The device key's folder, outside the store. (default: ATREST_DEVICE, or the platform's)",
      valueName: "folder"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "The identity of the store, as status prints it. Other stores are refused. (default: "
        + "ATREST_EXPECT_STORE, or any)",
      valueName: "id"))
  var expectStore: String?

  @Option(
    help: ArgumentHelp(
      "A file with the password of the TPM's owner, if the TPM asks for one. (default: "
        + "ATREST_TPM_OWNER_PASSWORD_FILE, or a question on the terminal)",
      valueName: "file"))
  var tpmOwnerPasswordFile: String?

  func validate() throws {
    let variable = ProcessInfo.processInfo.environment[TPMOwner.variable] ?? ""
    let path = tpmOwnerPasswordFile ?? (variable.isEmpty ? nil : variable)
    guard path != "-" else {
      throw ValidationError("--tpm-owner-password-file needs a file, not standard input.")
    }
    TPMOwner.setPassword {
      if let path { return try SecretInput.password(in: path) }
      return Terminal.isPresent ? try Terminal.secret("Password of the TPM's owner") : nil
    }
  }

  var location: StoreLocation { StoreLocation(store: store, device: device) }

  var storeFolder: URL { location.store }

  var deviceFolder: URL { location.device }

  /// Names the stores that the device remembers in the store's folder, although it does not have them.
  func noteGoneStores() {
    for gone in (try? location.goneStores) ?? [] {
      Output.note(
        "the device remembers another store in this folder, \(gone.identity), which a copy can bring back."
      )
      Output.plainNote("  If it is gone for good: atrest device forget \(gone.identity).")
    }
  }

  func openKeybag() throws -> Keybag {
    try location.openKeybag(expecting: expectedStore())
  }

  func openKeybagToWipe() throws -> Keybag {
    try location.openKeybagToWipe(expecting: expectedStore())
  }

  /// Returns the identity that the user expects, or nil if any store is accepted.
  func expectedStore() throws -> StoreIdentity? {
    let variable = "ATREST_EXPECT_STORE"
    let given = expectStore ?? ProcessInfo.processInfo.environment[variable]
    guard let given, expectStore != nil || !given.isEmpty else { return nil }
    guard let identity = StoreIdentity(text: given) else {
      throw AtRestError.invalid(
        "\(expectStore == nil ? variable : "--expect-store") is not the identity of a store.",
        remedy: "Use the 32 hexadecimal digits that atrest status prints.")
    }
    return identity
  }
}
