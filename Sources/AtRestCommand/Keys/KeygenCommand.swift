import ArgumentParser
import AtRestCrypto
import AtRestKeychain

extension KeyAlgorithm: ExpressibleByArgument {
  /// Creates an algorithm from its name on the command line, or returns nil for an unknown name.
  public init?(argument: String) { self.init(name: argument) }
  public static var allValueStrings: [String] {
    ["p256", "p384", "p521", "ed25519", "x25519", "rsa2048", "rsa3072", "rsa4096"]
  }
}

struct KeygenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Create or import a key pair, and print its public key.",
    discussion: """
      The private key stays in the store, which signs with it. It can be exported only if it was \
      created with --extractable. With --hardware, it is made in the device's hardware, such as a \
      TPM, which never reveals it.

      EXAMPLES
        atrest keygen --tag release
        atrest keygen --tag host --algorithm ed25519 --accessible after-first-unlock-this-device-only
        atrest keygen --tag old --import-file key.pem
        atrest keygen --tag machine --hardware
      """)

  @OptionGroup(title: "Protection") var protection: ProtectionOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The tag by which the key pair is found.")
  var tag: String

  @Option(help: "The algorithm.")
  var algorithm = KeyAlgorithm.p256

  @Option(help: "A label for display.")
  var label: String?

  @Option(help: "The access group.")
  var group: String?

  @Flag(help: "Allow the private key to be exported with atrest get --tag.")
  var extractable = false

  @Flag(help: "Make the private key in the device's hardware (P-256 only).")
  var hardware = false

  @Option(
    help: ArgumentHelp(
      "Import a private key, in PEM or DER, - for standard input.",
      valueName: "file"))
  var importFile: String?

  func validate() throws {
    guard !hardware || algorithm == .p256 else {
      throw ValidationError("The hardware holds only p256 keys.")
    }
    guard !hardware || !extractable else {
      throw ValidationError("A key in hardware cannot be extractable.")
    }
    guard !hardware || importFile == nil else {
      throw ValidationError("A key cannot be imported into the hardware.")
    }
    if hardware, let accessible = protection.accessible, accessible.keyClass.isMigratable {
      throw ValidationError(
        "A key in hardware never leaves the device; use an accessibility for this device only.")
    }
    let inputs = [unlock.passcodeFile, application.applicationPasswordFile, importFile]
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can provide only one secret.")
    }
  }

  func run() throws {
    try protection.checkAccess()
    let keychain = try unlock.open()
    let protection = protection.protection(
      applicationPassword: application.applicationPasswordFile != nil,
      over: hardware ? Self.hardwareProtection : .whenUnlocked)
    let context = try application.context("Create the key")
    let publicKey: PublicKey
    if hardware {
      publicKey = try keychain.createHardwareKey(
        tag: tag, label: label, protection: protection, group: group, context: context)
    } else if let importFile {
      publicKey = try keychain.importKey(
        PrivateKey(importing: SecretInput.contents(of: importFile)), tag: tag, label: label,
        isExtractable: extractable, protection: protection, group: group, context: context)
    } else {
      publicKey = try keychain.createKey(
        algorithm, tag: tag, label: label, isExtractable: extractable, protection: protection,
        group: group, context: context)
    }
    Output.write(publicKey.pemRepresentation)
  }

  // With private-key usage, programs that use Keychain Services can use the key too.
  private static let hardwareProtection = ItemProtection.controlled(
    .privateKeyUsage(.whenUnlockedThisDeviceOnly))
}
