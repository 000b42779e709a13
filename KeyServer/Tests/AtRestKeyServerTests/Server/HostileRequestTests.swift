import AtRestCrypto
import AtRestKeyServer
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct HostileRequestTests {
  @Test func `Garbage and long bodies are refused, and others are served`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let client = try server.client(account: "eva")
      let transport = try server.transport()
      let bodies = [
        Data(), Data(count: 1), Data(repeating: 0xFF, count: 4096), Data(count: 50_000),
      ]
      let paths = ["enrol", "evaluate", "prove", "register", "successor", "move", "keys/get"]
      for path in paths.map({ "/v1/\($0)" }) {
        for body in bodies {
          // The server may close the connection before it has read a long body.
          guard let (status, answer) = try? transport.send(path: path, headers: [], body: body)
          else { continue }
          #expect((400..<500).contains(status))
          #expect(throws: Never.self) { try RefusalBody(decoding: answer) }
        }
      }
      for headers in [
        [("atrest-device", "00")], [("atrest-signature", "zz")],
        [("atrest-device", String(repeating: "0", count: 32)), ("atrest-sequence", "-1")],
      ] {
        let message = Evaluation(account: "eva", element: EvaluationKey().publicKey)
        let answer = try transport.send(
          path: "/v1/evaluate", headers: headers, body: message.encoded)
        #expect(answer.0 == 401)
      }
      let share = try client.share("disk", creating: true)
      #expect(share.count == 32)
    }
  }

  @Test func `A source that sends too many requests has to wait`() async throws {
    let store = try TestDatabase(.embedded).store()
    let rate = SourceLimits.Rate(perSecond: 0.001, burst: 3)
    try await TestServer.run(store, rate: rate) { server in
      let transport = try server.transport()
      let statuses = try (0..<5).map { _ in
        try transport.send(path: "/v1/prove", headers: [], body: Data()).0
      }
      #expect(statuses == [400, 400, 400, 429, 429])
    }
  }

  @Test func `curl and openssl reach the server over TLS 1.3 only`() async throws {
    let store = try TestDatabase(.embedded).store()
    try await TestServer.run(store) { server in
      let address = "https://localhost:\(server.port)"
      let curl = ["curl", "-sS", "--cacert", server.certificate, "--noproxy", "*"]
      #expect(try ChildProcess.run(curl + ["\(address)/health"]).text == "ok\n")
      let metrics = try ChildProcess.run(curl + ["\(address)/metrics"]).text
      #expect(metrics.contains("atrest_keyserver_request_seconds_count 1"))
      let connect = ["openssl", "s_client", "-connect", "localhost:\(server.port)"]
      #expect(try ChildProcess.run(connect).text.contains("TLSv1.3"))
      #expect(try ChildProcess.run(connect + ["-tls1_2"]).status != 0)
    }
  }
}
