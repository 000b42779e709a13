import ArgumentParser
import AtRestKeybag

extension DeviceRoot: ExpressibleByArgument {}

struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Show the device key, move it between a file and the TPM, or remove it.",
    discussion: """
      A device key in a file can be copied. One in a TPM 2.0 cannot: a copied disk opens nothing, \
      the TPM counts wrong passcodes, and a store from before a change of the passcode or a wipe is \
      refused whatever is put back with it. Other writes are fixed when the TPM's counter is stepped, \
      with the first write, or opening after a write, that comes ten minutes or more after its last \
      step. Until then, a state since that step can be put back. The TPM is trusted on first use: what answers as the TPM when the key is \
      made or moved is the TPM from then on. If it is cleared or breaks, only a backup brings the items \
      back. ATREST_TPM names the TPM, as in device:/dev/tpmrm0, which is the default; \
      ATREST_TPM_TIMEOUT is the time in seconds, 30 by default, that a command waits for its answer.

      EXAMPLES
        atrest device status
        atrest device move tpm --backup ~/before.backup
        atrest device move file --backup ~/before.backup
        atrest device reseal --pcr 7 --recovery-key-file recovery.txt
        atrest device counters
        atrest device forget 64be16c1c0e7f5b2a1d09e8f6a3b4c5d
        atrest device remove
      """,
    subcommands: [
      DeviceStatusCommand.self, DeviceMoveCommand.self, DeviceResealCommand.self,
      DeviceCountersCommand.self, DeviceForgetCommand.self, DeviceRemoveCommand.self,
    ])
}
