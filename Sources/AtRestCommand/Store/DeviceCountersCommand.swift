import ArgumentParser
import AtRestCrypto
import AtRestKeybag

struct DeviceCountersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counters",
    abstract: "List the counters of AtRest in the TPM, or free some.",
    discussion: """
      Each device key in the TPM has a counter, and so has each of its stores. A TPM has room for some \
      tens. "other" means that this device folder does not use the counter: another folder or another \
      user may, or nothing any more, because its folder was deleted. What a freed counter protected \
      never opens again.

      EXAMPLES
        atrest device counters
        atrest device counters --free 0x1a7beef
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var confirmation: Confirmation

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Free this counter, which this device folder must not use; may be repeated.",
      valueName: "index"))
  var free: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    if !free.isEmpty {
      try confirmation.ask(
        "What needs \(free.joined(separator: ", ")) never opens again.", word: "free")
      for index in free {
        try TPMDeviceKey.freeCounter(index, for: store.deviceFolder)
        Output.note("the counter \(index) is free.")
      }
      return
    }
    let counters = try TPMDeviceKey.counters(for: store.deviceFolder)
    if json { return try Output.writeJSON(counters) }
    for counter in counters {
      let user =
        switch counter.user {
        case .device: "this device folder"
        case .store: "store \(counter.store ?? "")"
        case .other: "other"
        }
      Output.write("\(counter.index)  \(user)\n")
    }
  }
}
