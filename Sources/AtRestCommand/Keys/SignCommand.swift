import ArgumentParser
import AtRestCrypto
import AtRestKeychain
import Foundation

extension SignatureScheme: ExpressibleByArgument {
  /// Creates a scheme from its name on the command line, or returns nil for an unknown name.
  public init?(argument: String) { self.init(name: argument) }
  public static var allValueStrings: [String] { all.map(\.name) }
}

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a file with a key pair.",
    discussion: """
      The signature is written in Base64, or as bytes with --raw.

      EXAMPLES
        atrest sign --tag release notes.txt > notes.txt.sig
        tar c src | atrest sign --tag release --raw - > src.sig
      """)

  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The key pair's tag.")
  var tag: String

  @Option(help: "The access group.")
  var group: String?

  @Option(help: "The signature scheme. (default: that of the algorithm)")
  var scheme: SignatureScheme?

  @Flag(help: "Write bytes instead of Base64.")
  var raw = false

  @Argument(help: "The file to sign, - for standard input.", completion: .file())
  var file: String

  func validate() throws {
    let inputs = [unlock.passcodeFile, application.applicationPasswordFile, file]
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read only once.")
    }
  }

  func run() throws {
    let keychain = try unlock.open()
    let signature = try keychain.sign(
      MessageInput.contents(of: file), tag: tag, group: group, scheme: scheme,
      context: application.context("Sign"))
    Output.write(raw ? signature : Data((signature.base64EncodedString() + "\n").utf8))
  }
}
