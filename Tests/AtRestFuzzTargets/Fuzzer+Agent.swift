import AtRestAgentClient
import AtRestCrypto
import AtRestKeychain
import Foundation

extension Fuzzer {
  /// Reads a request to the agent, or an answer of it, without the length.
  func readAgentMessage(_ input: consuming FuzzInput) throws {
    let isAnswer = input.integer(UInt8.self) & 1 == 1
    let bytes = Data(input.rest)
    if isAnswer {
      try isAccepted {
        _ = try bytes.withUnsafeBytes { try AgentResponse(decoding: $0) }
      }
      return
    }
    try isAccepted {
      let request = try bytes.withUnsafeBytes { try AgentRequest(decoding: $0) }
      let first = try request.encoded()
      let again = try first.withUnsafeBytes { try AgentRequest(decoding: $0) }
      let second = try again.encoded()
      try expect(first.isEqual(to: second), "A request does not read back.")
    }
  }

  func agentSeeds() throws -> [Data] {
    let key = PrimaryKey.internetPassword(server: "a.b", account: "c", port: 1, group: "g")
    let secret = AgentSecret(SecretBytes(utf8: "s"))
    let grant = AgentGrant(AgentEvidence(.label, "l"), groups: ["g"], mayWrite: true)
    let requests: [AgentRequest] = [
      .status, .unlock(passcode: secret), .lock, .get(key, groups: ["g"]),
      .set(key, secret: secret, accessible: .always, groups: []), .delete(key, groups: []),
      .list(.key, [.startDate: .date(Date(timeIntervalSince1970: 1))], groups: []), .grants,
      .addGrant(grant, passcode: secret), .removeGrant("i", passcode: secret), .log(count: 1),
    ]
    let answers: [AgentResponse] = [
      .done, .secret(secret), .document(Data("{}".utf8)),
      .refused(AtRestError(.locked, "m", remedy: "r")),
    ]
    return try requests.map { Data([0]) + Data(copying: try $0.encoded()) }
      + answers.map { Data([1]) + Data(copying: $0.encoded()) }
  }
}
