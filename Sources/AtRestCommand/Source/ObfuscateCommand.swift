import ArgumentParser
import AtRestCrypto

struct ObfuscateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "obfuscate",
    abstract: "Write the Swift source of a masked secret, for a constituent of a composite key.",
    discussion: """
      The secret is read from --secret-file or from the pipe on standard input, both byte for byte, \
      or it is entered on the terminal, twice. Each run uses a new mask.

      Masking hides a secret from a search of the binary. It does not protect it from anyone who \
      runs or reads the program: never mask a password, a token or a whole key.

      EXAMPLES
        atrest obfuscate --name partialSecret > PartialSecret.swift
        head -c 32 /dev/urandom | atrest obfuscate --name partialSecret > PartialSecret.swift
      """)

  @OptionGroup var secret: SecretOptions

  @Option(help: "The name of the constant.")
  var name = "partialSecret"

  func validate() throws {
    let isName =
      name.utf8.first.map { !(0x30...0x39).contains($0) } == true
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isName else { throw ValidationError("The name may contain only letters, digits and _.") }
  }

  func run() throws {
    let literal = try ObfuscatedBytes.literal(masking: secret.read(standardInputIsTaken: false))
    Output.write(
      """
      import AtRest

      /// Masked by atrest obfuscate. Hidden from a search of the binary, not from anyone who runs it.
      let \(name) = \(literal)

      """)
  }
}
