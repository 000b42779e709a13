import ArgumentParser
import AtRestCrypto
import AtRestKeychain
import Foundation

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a file's signature.",
    discussion: """
      Prints "valid", or ends with exit code 6. With --public-key-file no store is needed. Base64 may \
      have spaces and ends of lines in it, and no other stray characters.

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

  @Option(help: "How it was signed. (default: the algorithm's own)")
  var scheme: SignatureScheme?

  @Argument(help: "The file that was signed, - for standard input.", completion: .file())
  var file: String

  func validate() throws {
    guard (tag == nil) != (publicKeyFile == nil) else {
      throw ValidationError("Give --tag or --public-key-file.")
    }
    let inputs = [unlock.passcodeFile, publicKeyFile, signatureFile, file]
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read once only.")
    }
  }

  func run() throws {
    let key = try publicKey()
    let message = try MessageInput.contents(of: file)
    let given = try MessageInput.contents(of: signatureFile)
    var forms = [given]
    if let decoded = Base64Text.decode(given) { forms.append(decoded) }
    guard
      try forms.contains(where: {
        try key.isValidSignature($0, for: message, scheme: scheme)
      })
    else {
      throw AtRestError.damaged(
        "The signature is not valid: file, signature and key do not belong together.",
        remedy: "Check which of them is another than was meant.")
    }
    Output.write("valid\n")
  }

  private func publicKey() throws -> PublicKey {
    if let publicKeyFile {
      return try PublicKey(importing: MessageInput.contents(of: publicKeyFile))
    }
    return try unlock.open().publicKey(tag: tag ?? "", group: group)
  }
}
