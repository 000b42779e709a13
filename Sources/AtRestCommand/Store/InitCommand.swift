import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a store.",
    discussion: """
      Asks for a passcode, twice, unless it is read from a file or --no-passcode is given.

      EXAMPLES
        atrest init
        atrest init --store ~/work-secrets --passcode-file passcode.txt --attempt-limit 10
        atrest init --no-passcode
        atrest init --device-root tpm
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var new: NewPasscodeOptions

  @Option(
    help: ArgumentHelp(
      "Where a new device key is kept: in a file, or in the machine's TPM 2.0, from which it cannot "
        + "be copied. (default: ATREST_DEVICE_ROOT, or file)",
      valueName: "file|tpm"))
  var deviceRoot: DeviceRoot?

  @OptionGroup var pcr: PCROptions

  @Option(
    help: ArgumentHelp(
      "A file with the passcode, - for standard input; one final newline is removed.",
      valueName: "file"))
  var passcodeFile: String?

  @Flag(help: "Set no passcode: only the device key protects the store.")
  var noPasscode = false

  func validate() throws {
    guard pcr.pcrs.isEmpty || deviceRoot == .tpm else {
      throw ValidationError("--pcr requires --device-root tpm.")
    }
    guard passcodeFile == nil || !noPasscode else {
      throw ValidationError("Use either --passcode-file or --no-passcode, not both.")
    }
    guard passcodeFile != nil || noPasscode || Terminal.isPresent else {
      throw ValidationError(
        "There is no terminal for the passcode; use --passcode-file or --no-passcode.")
    }
  }

  func run() throws {
    let keybag: Keybag
    if noPasscode {
      keybag = try Keybag.create(
        at: store.storeFolder, device: makeDevice(), options: new.options)
    } else {
      let passcode =
        try passcodeFile.map { SecretBox(try SecretInput.passcode(in: $0)) }
        ?? SecretBox(try Terminal.newSecret("passcode"))
      keybag = try Keybag.create(
        at: store.storeFolder, device: makeDevice(), passcode: passcode.bytes,
        options: new.options)
    }
    try Keychain.open(keybag, identity: .owner()).close()
    Output.note("created the store in \(store.storeFolder.path).")
    store.noteGoneStores()
    StatusReport.note(risks: keybag.risks)
  }

  private func makeDevice() throws -> any DeviceKeyProvider {
    let folder = store.deviceFolder
    let present = try DeviceRoot.present(in: folder)
    if let deviceRoot, let present, present != deviceRoot {
      throw AtRestError(
        .duplicate,
        "The device folder \(folder.path) has a device key in \(present == .tpm ? "a TPM" : "a file").",
        remedy: "Move it (atrest device move \(deviceRoot.rawValue)), or use another folder "
          + "(--device).")
    }
    guard present == nil, !pcr.pcrs.isEmpty, let path = pcr.recoveryKeyFile else {
      return try store.location.makeDevice(deviceRoot)
    }
    try store.location.checkNewDevice()
    let file = try RecoveryKeyFile(creating: path)
    do {
      let creation = try TPMDeviceKey.create(in: folder, pcrs: pcr.pcrs)
      if let key = creation.recoveryKey() { try file.write(key) }
      return creation.device
    } catch {
      if try DeviceRoot.present(in: folder) == nil { file.remove() }
      throw error
    }
  }
}
