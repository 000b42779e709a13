import ArgumentParser
import AtRestCrypto
import AtRestLegacy

/// Data that another library stored in three files, and the mode of its cipher.
struct LegacyPartsOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The salt of the data in FILE: 8 bytes.", valueName: "file"))
  var salt: String?

  @Option(help: ArgumentHelp("The IV of the data in FILE: 16 bytes.", valueName: "file"))
  var iv: String?

  @Flag(help: "The blocks of a property list or of parts were not chained; some apps did so.")
  var ecb = false

  var inputs: [String?] { [salt, iv] }
  var mode: PasswordEncryptedParts.BlockMode { ecb ? .ecb : .cbc }

  func check(_ files: [String]) throws {
    guard (salt == nil) == (iv == nil) else {
      throw ValidationError("--salt and --iv must be used together.")
    }
    guard salt == nil || files.count == 1 else {
      throw ValidationError("--salt and --iv require exactly one file.")
    }
  }
}
