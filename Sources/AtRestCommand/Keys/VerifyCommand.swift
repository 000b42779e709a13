import ArgumentParser
import AtRestCrypto
import AtRestKeychain
import Foundation

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a file's signature.",
    discussion: """
      Prints "valid", or ends with exit code 6. With --public-key-file, no store is needed. Base64 \
      may contain spaces and line breaks, but no other stray characters.

      EXAMPLES
        atrest verify --tag release --signature-file notes.txt.sig notes.txt
        atrest verify --public-key-file release.pem --signature-file notes.txt.sig notes.txt
      """)

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The key pair's tag.")
  var tag: String?

  @Option(help: "The access group.")
  var group: String?

  @Option(help: ArgumentHelp("A public key, in PEM or DER.", valueName: "file"))
  var publicKeyFile: String?

  @Option(help: ArgumentHelp("The signature, in Base64 or bytes.", valueName: "file"))
  var signatureFile: String

  @Option(help: "The signature scheme. (default: that of the algorithm)")
  var scheme: SignatureScheme?

  @Flag(help: "Write the result as JSON. The exit code is the same.")
  var json = false

  @Argument(help: "The file that was signed, - for standard input.", completion: .file())
  var file: String

  func validate() throws {
    guard (tag == nil) != (publicKeyFile == nil) else {
      throw ValidationError("Use either --tag or --public-key-file.")
    }
    let inputs = [unlock.passcodeFile, publicKeyFile, signatureFile, file]
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read only once.")
    }
  }

  func run() throws {
    let key = try publicKey()
    let message = try MessageInput.contents(of: file)
    let given = try MessageInput.small(signatureFile)
    var forms = [given]
    if let decoded = Base64Text.decode(given) { forms.append(decoded) }
    let isValid = try forms.contains {
      try key.isValidSignature($0, for: message, scheme: scheme)
    }
    if json { try Output.writeJSON(["valid": isValid]) }
    guard isValid else {
      throw AtRestError.damaged(
        "The signature is not valid: file, signature and key do not belong together.",
        remedy: "Check that each of them is the one you intended.")
    }
    if !json { Output.write("valid\n") }
  }

  private func publicKey() throws -> PublicKey {
    if let publicKeyFile {
      return try PublicKey(importing: MessageInput.small(publicKeyFile))
    }
    return try unlock.open().publicKey(tag: tag ?? "", group: group)
  }
}
