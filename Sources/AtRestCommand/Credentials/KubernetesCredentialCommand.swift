import ArgumentParser
import AtRestCredentials
import AtRestCrypto
import AtRestKeychain
import Foundation

struct KubernetesCredentialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kubernetes",
    abstract: "Write a token as an ExecCredential, for kubectl and other clients of Kubernetes.",
    discussion: """
      The answer has the version that KUBERNETES_EXEC_INFO requests, or v1.

      EXAMPLES
        kubectl config set-credentials eva --exec-api-version=client.authentication.k8s.io/v1 \
      --exec-command=atrest --exec-arg=credential --exec-arg=kubernetes \
      --exec-arg=--service=cluster --exec-arg=--account=eva
      """,
    aliases: ["kubectl"])

  @OptionGroup(title: "Item") var item: ItemOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  private struct Request: Decodable {
    let apiVersion: String
  }

  private static let versions = ["v1", "v1beta1"].map { "client.authentication.k8s.io/\($0)" }

  func validate() throws { _ = try item.key() }

  func run() throws {
    var version = Self.versions[0]
    if let text = ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"] {
      let request = try? JSONDecoder().decode(Request.self, from: Data(text.utf8))
      guard let request, Self.versions.contains(request.apiVersion) else {
        throw AtRestError.invalid(
          "KUBERNETES_EXEC_INFO requests an unknown version.",
          remedy: "Set apiVersion to \(Self.versions[0]) in the kubeconfig file.")
      }
      version = request.apiVersion
    }
    let context = AuthenticationContext(reason: "Kubernetes")
    let keychain = try unlock.open()
    let token = SecretInput.withoutNewline(
      try keychain.secret(for: item.key(in: keychain), context: context))
    let quoted = try JSONText.quoted(token)
    Output.write("{\"apiVersion\":\"\(version)\",\"kind\":\"ExecCredential\",")
    Output.write("\"status\":{\"token\":")
    Output.write(quoted)
    Output.write("}}\n")
  }
}
