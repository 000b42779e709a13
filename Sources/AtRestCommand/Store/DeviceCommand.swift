import ArgumentParser
import AtRestKeybag

extension DeviceRoot: ExpressibleByArgument {}

struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Show the device key, or move it between a file and the TPM.",
    discussion: """
      A device key in a file can be copied. One in a TPM 2.0 cannot: a copied disk opens nothing, \
      the TPM counts wrong passcodes, and an older store is detected whatever is put back with it. \
      If the TPM is cleared or breaks, only a backup brings the items back. ATREST_TPM names the \
      TPM, as in device:/dev/tpmrm0, which is the default.

      EXAMPLES
        atrest device status
        atrest device move tpm --backup ~/before.backup
        atrest device move file --backup ~/before.backup
        atrest device reseal --pcr 7 --recovery-key-file recovery.txt
      """,
    subcommands: [DeviceStatusCommand.self, DeviceMoveCommand.self, DeviceResealCommand.self])
}
