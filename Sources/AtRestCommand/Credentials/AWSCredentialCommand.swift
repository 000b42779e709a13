import ArgumentParser
import AtRestCredentials
import AtRestCrypto
import AtRestKeychain
import Foundation

struct AWSCredentialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aws",
    abstract: "Write an AWS access key, as credential_process in ~/.aws/config expects it.",
    discussion: """
      The item's account is the access key ID, and its secret is the secret access key.

      EXAMPLES
        atrest add --service aws --account AKIAIOSFODNN7EXAMPLE
        credential_process = atrest credential aws AKIAIOSFODNN7EXAMPLE
      """)

  @Argument(help: "The access key ID.")
  var accessKey: String

  @Option(help: "The item's service.")
  var service = "aws"

  @Option(help: "The access group. (default: any)")
  var group: String?

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func run() throws {
    let key = PrimaryKey.genericPassword(service: service, account: accessKey, group: group)
    let context = AuthenticationContext(reason: "AWS")
    let secret = try JSONText.quoted(unlock.open().secret(for: key, context: context))
    Output.write("{\"Version\":1,\"AccessKeyId\":\(JSONText.quoted(accessKey)),")
    Output.write("\"SecretAccessKey\":")
    Output.write(secret)
    Output.write("}\n")
  }
}
