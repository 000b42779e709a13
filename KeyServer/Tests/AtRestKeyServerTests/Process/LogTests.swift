import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerStore
import Foundation
import Testing

/// The log of the running program.
@Suite struct LogTests {

  private struct Line: Decodable {
    let time: String
    let level: String
    let message: String
    let path: String?
    let status: Int?
    let code: String?
    let milliseconds: Double?
    let source: String?
  }

  @Test func `Each request is one line of JSON without secrets`() throws {
    let database = try TestDatabase(.embedded)
    let store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    try store.createAccount("eva-the-account")
    let program = try ServerProgram(
      database, flags: ["--log-format", "json", "--log-level", "debug"])
    let code = try store.createCode(for: "eva-the-account")
    let client = try KeyServerClient.enrol(
      code, label: "label-of-the-device", key: PrivateKey.generate(.p256),
      transport: program.transport())
    let right = SecretBytes(utf8: "passphrase-that-is-right")
    let key = Data(copying: try client.setPassphrase(right, kdf: TestKDF.fast))
    expectError(.authenticationFailed) {
      try client.harden(
        SecretBytes(utf8: "passphrase-that-is-wrong"), kdf: TestKDF.fast)
    }
    let share = Data(copying: try client.share("name-of-the-share", creating: true))
    _ = try program.curl("/a-path-that-a-client-made-up?token=in-the-query")
    #expect(program.stop() == 0)

    let log = try program.log()
    let lines = try log.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    let requests = lines.filter { $0.message == "request" }
    #expect(
      requests.map(\.path) == [
        "/v1/enrol", "/v1/evaluate", "/v1/register", "/v1/evaluate", "/v1/prove",
        "/v1/keys/get", "other",
      ])
    #expect(requests.map(\.status) == [200, 200, 200, 200, 403, 200, 404])
    #expect(requests.map(\.code).last == "no-such-path")
    #expect(requests.map(\.code)[4] == "authentication-failed")
    #expect(requests.allSatisfy { $0.source == "127.0.0.1" })
    // The time is rounded, so a request without work may have taken none.
    #expect(requests.allSatisfy { ($0.milliseconds ?? -1) >= 0 })
    #expect(requests.contains { ($0.milliseconds ?? 0) > 0 })
    #expect(lines.allSatisfy { !$0.level.isEmpty })
    for line in lines {
      #expect(line.time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    let secrets = [
      "eva-the-account", "label-of-the-device", "name-of-the-share", "passphrase-that", code,
      code.replacing("-", with: ""), "made-up", "in-the-query", database.serverKey.hexadecimalText,
      key.hexadecimalText, key.base64EncodedString(), share.hexadecimalText,
      share.base64EncodedString(), client.identity.device.hexadecimalText,
    ]
    for secret in secrets { #expect(!log.localizedCaseInsensitiveContains(secret)) }
    // The control: the search finds what is there, even with the last secret in it.
    let altered = log + "{\"message\":\"\(client.identity.device.hexadecimalText.uppercased())\"}"
    #expect(altered.localizedCaseInsensitiveContains(secrets[secrets.count - 1]))
    #expect(log.localizedCaseInsensitiveContains("AUTHENTICATION-FAILED"))
  }

  @Test func `The level hides requests, and the form is text by default`() throws {
    let database = try TestDatabase(.embedded)
    let loud = try ServerProgram(database)
    _ = try loud.curl("/health")
    #expect(loud.stop() == 0)
    let log = try loud.log()
    #expect(log.contains("path=/health") && log.contains("status=200"))
    #expect(!log.contains("{"))
  }
}

extension Data {
  fileprivate var hexadecimalText: String { map { String(format: "%02x", $0) }.joined() }
}
