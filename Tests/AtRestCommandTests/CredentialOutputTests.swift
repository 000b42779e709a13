import Foundation
import Testing

/// The output for AWS and Kubernetes.
struct CredentialOutputTests {
  @Test func awsGetsAnAccessKey() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "aws", "--account", "AKIA1", input: "se/cr\"et")
    let result = try run("credential", "aws", "AKIA1")
    #expect(result.json["Version"] as? Int == 1)
    #expect(result.json["AccessKeyId"] as? String == "AKIA1")
    #expect(result.json["SecretAccessKey"] as? String == "se/cr\"et")
    #expect(result.json.count == 3)
    #expect(try run("credential", "aws", "AKIA2").status == 3)
  }

  @Test func kubernetesGetsAToken() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "cluster", "--account", "eva", input: "token-1\n")
    let words = ["credential", "kubernetes", "--service", "cluster", "--account", "eva"]
    func answer(_ request: String?) throws -> CommandRun.Result {
      try run.run(words, input: nil, with: request.map { ["KUBERNETES_EXEC_INFO": $0] } ?? [:])
    }
    let result = try answer(nil)
    #expect(result.json["apiVersion"] as? String == "client.authentication.k8s.io/v1")
    #expect(result.json["kind"] as? String == "ExecCredential")
    #expect(result.json["status"] as? [String: String] == ["token": "token-1"])
    let beta = "client.authentication.k8s.io/v1beta1"
    #expect(
      try answer("{\"apiVersion\":\"\(beta)\",\"spec\":{}}").json["apiVersion"] as? String == beta)
    #expect(try answer("{\"apiVersion\":\"client.authentication.k8s.io/v9\"}").status == 2)
  }
}
