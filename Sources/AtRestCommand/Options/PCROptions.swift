import ArgumentParser

/// PCRs to which a device key in a TPM is bound, and the file of the recovery key.
struct PCROptions: ParsableArguments {
  @Option(
    name: .customLong("pcr"), parsing: .singleValue,
    help: ArgumentHelp(
      "Bind the device key to the value of this PCR, 0 to 23; may be repeated. Updates of firmware "
        + "change these values.",
      valueName: "number"))
  var pcrs: [Int] = []

  @Option(
    help: ArgumentHelp(
      "A new file for the recovery key, which opens the device key after the PCRs changed.",
      valueName: "file"))
  var recoveryKeyFile: String?

  func validate() throws {
    guard pcrs.allSatisfy((0...23).contains) else {
      throw ValidationError("--pcr must be 0 to 23.")
    }
    guard pcrs.isEmpty || recoveryKeyFile != nil else {
      throw ValidationError("--pcr requires --recovery-key-file.")
    }
  }
}
