import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
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
      // The message's own store, so that the fields after it are read too.
      let store = StoreIdentity(Data(bytes.dropFirst(2).prefix(16)))
      let request = try bytes.withUnsafeBytes { try AgentRequest(decoding: $0, for: store) }
      let first = try request.encoded(for: store)
      let again = try first.withUnsafeBytes { try AgentRequest(decoding: $0, for: store) }
      let second = try again.encoded(for: store)
      try expect(first.isEqual(to: second), "A request does not read back.")
    }
  }

  func agentSeeds() throws -> [Data] {
    let key = PrimaryKey.internetPassword(server: "a.b", account: "c", port: 1, group: "g")
    let secret = AgentSecret(SecretBytes(utf8: "s"))
    let grant = AgentGrant(AgentEvidence(.label, "l"), groups: ["g"], mayWrite: true)
    let traits = KeychainOperation.KeyTraits(
      name: .init("t", group: "g"), label: "l", isExtractable: true, protection: .whenUnlocked)
    let control = ItemProtection.controlled(AccessControl(.whenUnlocked, .userPresence))
    let query = KeychainQuery(
      .key, [.startDate: .date(Date(timeIntervalSince1970: 1))], accessibility: .always, group: "g",
      synchronizable: .any, limit: 3)
    let reference = try PersistentReference(
      data: Data([1]) + Data(count: 24))
    let other = try PrivateKey.generate(.p256).publicKey
    let operations: [KeychainOperation] = [
      .secret(.key(key)), .items(.reference(reference), secrets: true),
      .items(.query(query), secrets: false),
      .add(key, [.label: "l", .isInvisible: 1], control, secret: secret),
      .set(key, [:], .whenUnlocked, secret: secret),
      .update(
        .key(key), ItemChange(attributes: [.label: "l"], removing: [.comment], group: "h"),
        secret: nil),
      .delete(.key(key)), .deleteAll("g"), .createKey(.p256, traits), .createHardwareKey(traits),
      .importKey(.ed25519, traits, secret), .publicKey(traits.name), .exportKey(traits.name),
      .deleteKey(traits.name), .useKey(.name(traits.name), .sign(Data([1]), .ecdsaSHA256)),
      .useKey(.reference(reference), .agree(other)),
    ]
    let context = AgentContext(interaction: .skip, reason: "r", applicationPassword: secret)
    let requests: [AgentRequest] =
      operations.map { .perform($0, groups: ["g"], context: context) } + [
        .status, .unlock(passcode: secret), .lock, .grants, .addGrant(grant, passcode: secret),
        .removeGrant("i", passcode: secret), .log(count: 1),
        .fileKey(.wrap(.random(count: 32), under: .complete, file: "f", store: .random())),
        .fileKey(
          .unwrap(Data(count: 72), under: .completeUnlessOpen, file: "f", store: .random())),
      ]
    let answers: [AgentResponse] = [
      .done, .secret(secret), .document(Data("{}".utf8)), .data(Data([1])),
      .refused(AtRestError(.locked, "m", remedy: "r")),
    ]
    return try requests.map { Data([0]) + Data(copying: try $0.encoded(for: .random())) }
      + answers.map { Data([1]) + Data(copying: $0.encoded()) }
  }
}
