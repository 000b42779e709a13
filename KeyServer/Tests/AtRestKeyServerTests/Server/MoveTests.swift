import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The move of an account from P384-SHA384 to ristretto255-SHA512.
@Suite struct MoveTests {
  /// The routes of a server.
  private struct Server: Sendable {
    let store: KeyServerStore
    func transport() -> any KeyServerTransport { DirectTransport(store) }
  }

  private func run(
    _ kind: TestDatabase.Kind = .embedded, _ body: (Server) throws -> Void
  ) throws {
    let database = try TestDatabase(kind)
    try body(Server(store: database.store()))
  }

  /// A device as an application keeps it.
  private struct Device: Sendable {
    let pem: Data
    var identity: KeyServerIdentity

    init(_ account: String, _ server: Server) throws {
      let key = try PrivateKey.generate(.p256)
      pem = Data(copying: key.pemRepresentation)
      identity = try KeyServerClient.enrol(
        server.store.createCode(for: account), label: "", key: key, transport: server.transport()
      ).identity
    }

    /// A client as a new process has it.
    func client(_ transport: any KeyServerTransport) throws -> KeyServerClient {
      KeyServerClient(
        identity, key: try PrivateKey(importing: SecretBytes(pem)), transport: transport)
    }
  }

  private static func key(_ passphrase: String, _ client: KeyServerClient) throws -> Data {
    Data(copying: try client.harden(SecretBytes(utf8: passphrase), kdf: TestKDF.fast))
  }

  /// Makes an account of the older suite with devices and the passphrase `right`, and returns its key.
  private static func account(
    _ server: Server, devices count: Int, name: String = "eva"
  ) throws -> ([Device], Data) {
    try server.store.createAccount(name, suite: .p384)
    let devices = try (0..<count).map { _ in try Device(name, server) }
    let first = try devices[0].client(server.transport())
    let key = Data(copying: try first.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast))
    return (devices, key)
  }

  private static func suite(_ server: Server) throws -> EvaluationSuite? {
    try server.store.accounts()[0].suite
  }

  @Test(arguments: TestDatabase.kinds)
  func `The right passphrase moves an older account and keeps its key`(kind: TestDatabase.Kind)
    throws
  {
    try run(kind) { server in
      let (devices, key) = try Self.account(server, devices: 1)
      let client = try devices[0].client(server.transport())
      #expect(client.identity.publicKey.suite == .p384)
      expectError(.authenticationFailed) { try Self.key("wrong", client) }
      #expect(try Self.suite(server) == .p384)
      #expect(try Self.key("right", client) == key)
      #expect(try Self.suite(server) == .ristretto255)
      #expect(client.identity.publicKey.suite == .ristretto255)
      #expect(try server.store.accounts()[0].attempts == 0)
      #expect(try server.store.accounts()[0].attemptsOfYear == 1)
      // The same client, and a new process with the new identity, which asks for nothing more.
      expectError(.authenticationFailed) { try Self.key("wrong", client) }
      #expect(try Self.key("right", client) == key)
      var moved = devices[0]
      moved.identity = client.identity
      let transport = FailingTransport(server.transport())
      #expect(try Self.key("right", moved.client(transport)) == key)
      #expect(transport.sent == ["/v1/evaluate", "/v1/prove"])
    }
  }

  @Test func `A new account has the later suite and never moves`() throws {
    try run { server in
      try server.store.createAccount("eva")
      let device = try Device("eva", server)
      let transport = FailingTransport(server.transport())
      let client = try device.client(transport)
      _ = try client.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
      _ = try Self.key("right", client)
      #expect(
        client.identity == device.identity && client.identity.publicKey.suite == .ristretto255)
      #expect(transport.sent == ["/v1/evaluate", "/v1/register", "/v1/evaluate", "/v1/prove"])
    }
  }

  @Test func `Other devices follow, each with the identity from before`() throws {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 3)
      for device in devices {
        let client = try device.client(server.transport())
        expectError(.authenticationFailed) { try Self.key("wrong", client) }
        #expect(try Self.key("right", client) == key)
        #expect(client.identity.publicKey.suite == .ristretto255)
      }
      // A device that enrols later has the later suite at once, and the same key.
      let late = try Device("eva", server)
      #expect(late.identity.publicKey.suite == .ristretto255)
      #expect(try Self.key("right", late.client(server.transport())) == key)
    }
  }

  @Test func `The passphrase can be changed after the move, also by a device that follows`() throws
  {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 2)
      _ = try Self.key("right", devices[0].client(server.transport()))
      var keys: [Data] = []
      let client = try devices[1].client(server.transport())
      try client.changePassphrase(
        from: SecretBytes(utf8: "right"), to: SecretBytes(utf8: "new"), kdf: TestKDF.fast
      ) { keys = [Data(copying: $0), Data(copying: $1)] }
      #expect(keys[0] == key && keys[1] != key)
      for device in devices {
        let client = try device.client(server.transport())
        #expect(try Self.key("new", client) == keys[1])
        expectError(.authenticationFailed) { try Self.key("right", client) }
      }
    }
  }

  @Test func `The passphrase can be changed before the move`() throws {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 2)
      var keys: [Data] = []
      try devices[0].client(server.transport()).changePassphrase(
        from: SecretBytes(utf8: "right"), to: SecretBytes(utf8: "new"), kdf: TestKDF.fast
      ) { keys = [Data(copying: $0), Data(copying: $1)] }
      #expect(keys[0] == key)
      #expect(try Self.suite(server) == .p384)
      for device in devices {
        #expect(try Self.key("new", device.client(server.transport())) == keys[1])
      }
      #expect(try Self.suite(server) == .ristretto255)
    }
  }

  /// The nine requests are evaluate, prove, successor, evaluate, evaluate, register, evaluate, prove, move.
  @Test(arguments: 0..<9, [false, true])
  func `A move that is interrupted loses no key`(requests: Int, losesAnswer: Bool) throws {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 2)
      let transport = FailingTransport(
        server.transport(), after: requests, losesAnswer: losesAnswer)
      let client = try devices[0].client(transport)
      // The key is there as soon as the passphrase was proved, whatever happens to the move.
      if requests >= 2 {
        #expect(try Self.key("right", client) == key)
      } else {
        expectError(.keyServerOffline) { try Self.key("right", client) }
      }
      #expect(client.identity == devices[0].identity)
      #expect(try Self.suite(server) == (requests == 8 && losesAnswer ? .ristretto255 : .p384))
      // Both devices get the key, and the move is brought to its end.
      for device in devices.reversed() {
        expectError(.authenticationFailed) {
          try Self.key("wrong", device.client(server.transport()))
        }
        #expect(try Self.key("right", device.client(server.transport())) == key)
      }
      #expect(try Self.suite(server) == .ristretto255)
      #expect(try server.store.accounts()[0].attempts == 0)
    }
  }

  @Test func `A move takes nine requests`() throws {
    try run { server in
      let (devices, _) = try Self.account(server, devices: 1)
      let transport = FailingTransport(server.transport())
      _ = try Self.key("right", devices[0].client(transport))
      #expect(
        transport.sent.map { String($0.dropFirst(4)) } == [
          "evaluate", "prove", "successor", "evaluate", "evaluate", "register", "evaluate", "prove",
          "move",
        ])
    }
  }

  /// What a change of the passphrase leaves of a move that was prepared.
  @Test func `A passphrase that is changed between two steps is the valid one`() throws {
    try run { server in
      let (devices, _) = try Self.account(server, devices: 2)
      let transport = FailingTransport(server.transport(), after: 6)
      _ = try Self.key("right", devices[0].client(transport))
      var present = Data()
      try devices[1].client(server.transport()).changePassphrase(
        from: SecretBytes(utf8: "right"), to: SecretBytes(utf8: "new"), kdf: TestKDF.fast
      ) { present = Data(copying: $1) }
      for device in devices {
        expectError(.authenticationFailed) {
          try Self.key("right", device.client(server.transport()))
        }
        #expect(try Self.key("new", device.client(server.transport())) == present)
      }
      #expect(try Self.suite(server) == .ristretto255)
    }
  }

  @Test func `Devices that move at the same time all get the key`() throws {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 4)
      let results = Results()
      DispatchQueue.concurrentPerform(iterations: devices.count) { index in
        let result = Result {
          let client = try devices[index].client(server.transport())
          return try Self.key("right", client)
        }
        results.add(result)
      }
      #expect(try results.all.map { try $0.get() } == Array(repeating: key, count: 4))
      for device in devices {
        #expect(try Self.key("right", device.client(server.transport())) == key)
      }
      #expect(try Self.suite(server) == .ristretto255)
    }
  }

  private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Result<Data, any Error>] = []
    var all: [Result<Data, any Error>] { lock.withLock { results } }
    func add(_ result: Result<Data, any Error>) { lock.withLock { results.append(result) } }
  }

  // MARK: Attackers

  /// A server or a network that changes answers.
  private struct HostileTransport: KeyServerTransport {
    let base: any KeyServerTransport
    let change: @Sendable (_ path: String, _ answer: Data) throws -> Data

    func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
      let (status, answer) = try base.send(path: path, headers: headers, body: body)
      return (status, status == 200 ? try change(path, answer) : answer)
    }
  }

  @Test func `A successor that the pinned key did not sign is refused`() throws {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 2)
      let forged = HostileTransport(base: server.transport()) { path, answer in
        guard path == "/v1/successor" else { return answer }
        var successor = try Successor(decoding: answer)
        successor.publicKey = EvaluationKey().publicKey
        return successor.encoded
      }
      // Before the move the account stays as it is.
      let client = try devices[0].client(forged)
      #expect(try Self.key("right", client) == key)
      #expect(client.identity == devices[0].identity)
      #expect(try Self.suite(server) == .p384)
      // After it, nothing that depends on the passphrase is sent.
      _ = try Self.key("right", devices[0].client(server.transport()))
      let other = try devices[1].client(forged)
      expectError(.otherServerKey) { try Self.key("right", other) }
      #expect(other.identity == devices[1].identity)
      #expect(try Self.key("right", devices[1].client(server.transport())) == key)
    }
  }

  @Test func `Nobody leads a client back to the older suite`() throws {
    try run { server in
      let (devices, _) = try Self.account(server, devices: 1)
      let client = try devices[0].client(server.transport())
      _ = try Self.key("right", client)
      var moved = devices[0]
      moved.identity = client.identity
      let key = EvaluationKey(.p384)
      let downgrading = HostileTransport(base: server.transport()) { path, answer in
        guard path == "/v1/evaluate" else { return answer }
        var answer = try Evaluation.Answer(decoding: answer)
        answer.publicKey = key.publicKey
        let element = try BlindedInput(SecretBytes(utf8: "x"), publicKey: key.publicKey).element
        answer.evaluation = try key.evaluate(element)
        return answer.encoded
      }
      expectError(.otherServerKey) { try Self.key("right", moved.client(downgrading)) }
      // A server that says that the account moved on has to show a later key.
      let refusing = RefusingTransport(base: server.transport())
      expectError(.otherServerKey) { try Self.key("right", moved.client(refusing)) }
    }
  }

  /// A server that claims that the account moved.
  private struct RefusingTransport: KeyServerTransport {
    let base: any KeyServerTransport

    func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
      guard path == "/v1/evaluate" else {
        return try base.send(path: path, headers: headers, body: body)
      }
      return (409, RefusalBody(code: "moved", message: "", remedy: "").encoded)
    }
  }

  @Test func `A key that was carried over and modified is damaged, not wrong`() throws {
    try run { server in
      let (devices, key) = try Self.account(server, devices: 1)
      _ = try Self.key("right", devices[0].client(server.transport()))
      let modifying = HostileTransport(base: server.transport()) { path, answer in
        guard path == "/v1/prove" else { return answer }
        var answer = try Proof.Answer(decoding: answer)
        answer.carried?[20] ^= 1
        return answer.encoded
      }
      expectError(.damaged) { try Self.key("right", devices[0].client(modifying)) }
      #expect(try Self.key("right", devices[0].client(server.transport())) == key)
    }
  }
}
