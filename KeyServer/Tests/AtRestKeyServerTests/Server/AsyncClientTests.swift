import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Synchronization
import Testing

@Suite struct AsyncClientTests {
  /// A transport that answers only when all requests that a test expects are there.
  private final class Gathering: KeyServerTransport {
    private let count: Int
    private let arrived = Mutex(0)
    private let all = DispatchSemaphore(value: 0)

    init(_ count: Int) { self.count = count }

    func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
      let isLast = arrived.withLock { arrived -> Bool in
        arrived += 1
        return arrived == count
      }
      if isLast { for _ in 0..<count { all.signal() } }
      guard all.wait(timeout: .now() + 120) == .success else {
        throw AtRestError(.keyServerOffline, "Not all requests arrived.", remedy: "")
      }
      return (200, KeyRequest.Answer(version: 1, minimum: 1, key: Data(count: 32)).encoded)
    }
  }

  @Test func `Calls that wait block no thread of Swift concurrency`() async throws {
    // More calls at a time than the cooperative pool has threads. Each client sends one request.
    let count = ProcessInfo.processInfo.activeProcessorCount * 4
    let transport = Gathering(count)
    let identity = try KeyServerIdentity(
      decoding: Enrolment.Answer(
        realm: Data(count: 16), device: Data(count: 16), account: "eva",
        publicKey: EvaluationKey().publicKey
      ).encoded)
    let answered = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          let client = KeyServerClient(
            identity, key: try PrivateKey.generate(.p256), transport: transport)
          return try await client.share("disk").count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(answered == 32 * count)
  }

  @Test func `The asynchronous forms give the same results`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    let kdf = try TestKDF.fast
    try await TestServer.runAsync(store) { server in
      let client = try await KeyServerClient.enrol(
        store.createCode(for: "eva"), label: "", key: PrivateKey.generate(.p256),
        transport: server.transport())
      let key = Data(
        copying: try await client.setPassphrase(SecretBytes(utf8: "right"), kdf: kdf))
      let again = Data(copying: try await client.harden(SecretBytes(utf8: "right"), kdf: kdf))
      #expect(again == key)
      await expectError(.authenticationFailed) {
        try await client.harden(SecretBytes(utf8: "wrong"), kdf: kdf)
      }
      let wrapped = try await client.wrap(
        SecretBytes(key), under: "documents", context: Data())
      let rewrapped = try await client.background {
        try $0.rewrap(wrapped, under: "documents", context: Data())
      }
      let unwrapped = try await client.unwrap(rewrapped, under: "documents", context: Data())
      #expect(Data(copying: unwrapped) == key)

      let share = Data(copying: try await client.share("disk", creating: true))
      let second = try await client.background { try $0.rotateShare("disk") }
      #expect(Data(copying: try await client.share("disk", version: 1)) == share)
      try await client.background { try $0.withdrawShares("disk", before: second) }
      await expectError(.notPermitted) { try await client.share("disk", version: 1) }
      try await client.background {
        try $0.withdrawKeys("documents", before: $0.rotateKey("documents"))
      }
      await expectError(.notPermitted) {
        try await client.unwrap(rewrapped, under: "documents", context: Data())
      }

      let keys = Mutex<[Data]>([])
      try await client.changePassphrase(
        from: SecretBytes(utf8: "right"), to: SecretBytes(utf8: "new"), kdf: kdf
      ) { former, present in
        let both = [Data(copying: former), Data(copying: present)]
        keys.withLock { $0 = both }
      }
      let new = Data(copying: try await client.harden(SecretBytes(utf8: "new"), kdf: kdf))
      #expect(keys.withLock { $0 } == [key, new] && new != key)
      await expectError(.authenticationFailed) {
        try await client.harden(SecretBytes(utf8: "right"), kdf: kdf)
      }
    }
  }
}
