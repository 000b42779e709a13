import ArgumentParser
import AtRestCrypto
import AtRestKeybag

struct DeviceResealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reseal",
    abstract: "Seal the device key in the TPM under the present values of PCRs, or under none.",
    discussion: """
      If an update changed the PCRs, the TPM refuses the key: give the recovery key then.

      EXAMPLES
        atrest device reseal --pcr 7 --recovery-key-file new-recovery.txt
        atrest device reseal --pcr 7 --from-recovery-key recovery.txt
        atrest device reseal --from-recovery-key recovery.txt
      """)

  @OptionGroup var store: StoreOptions

  @Option(
    name: .customLong("pcr"), parsing: .singleValue,
    help: ArgumentHelp(
      "A PCR, 0 to 23; may be repeated. Without one, the key is bound to none.", valueName: "number"
    ))
  var pcrs: [Int] = []

  @Option(
    help: ArgumentHelp(
      "A new file for the recovery key, if the device key has none yet.", valueName: "file"))
  var recoveryKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The file with the present recovery key, - for standard input.", valueName: "file"))
  var fromRecoveryKey: String?

  func validate() throws {
    guard pcrs.allSatisfy((0...23).contains) else {
      throw ValidationError("--pcr must be 0 to 23.")
    }
    guard pcrs.isEmpty || recoveryKeyFile != nil || fromRecoveryKey != nil else {
      throw ValidationError("--pcr requires --recovery-key-file or --from-recovery-key.")
    }
  }

  func run() throws {
    let given = try fromRecoveryKey.map { SecretBox(try RecoveryKeyFile.read($0)) }
    let file = try recoveryKeyFile.map { try RecoveryKeyFile(creating: $0) }
    var isWritten = false
    defer { if !isWritten { file?.remove() } }
    let new = try TPMDeviceKey.reseal(
      in: store.deviceFolder, recoveryKey: given?.bytes.duplicate(), pcrs: pcrs)
    if let new {
      guard let file else {
        throw AtRestError.invalid(
          "The device key has a new recovery key, and no file was named for it.",
          remedy: "Run the command again with --recovery-key-file.")
      }
      isWritten = true
      try file.write(new)
    }
    Output.note(
      pcrs.isEmpty
        ? "the device key is bound to no PCR."
        : "the device key is bound to the PCRs as they are now.")
  }
}
