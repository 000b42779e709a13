@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Crypto
import Foundation
import Synchronization
import Testing

/// Many requests at a time, and requests under another identity, against the program.
@Suite struct SharedUseTests {
  private let database: TestDatabase
  private let store: KeyServerStore
  private let program: ServerProgram

  init() throws {
    database = try TestDatabase(TestDatabase.kinds.last ?? .embedded)
    store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    program = try ServerProgram(database, flags: ["--source-burst", "1000"])
  }

  private var element: GroupElement {
    get throws {
      try BlindedInput(SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey).element
    }
  }

  private func send(_ request: SignedRequest, _ key: P256.Signing.PrivateKey) throws -> Int {
    let signature = try key.signature(for: request.signedBytes).rawRepresentation
    return try program.transport().send(
      path: request.path,
      headers: [
        (SignedRequest.deviceHeader, request.device.hexadecimal),
        (SignedRequest.sequenceHeader, "\(request.sequence)"),
        (SignedRequest.signatureHeader, signature.hexadecimal),
      ], body: request.body
    ).0
  }

  @Test func `Parallel requests of one account are counted, and others are served`() throws {
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    try store.createAccount("tom")
    let tom = try TestDevice(store, account: "tom")
    let body = Evaluation(account: "eva", element: try element).encoded
    let statuses = Mutex<[Int]>([])
    let holder = Holder(statuses)
    let threads = DispatchGroup()
    for _ in 0..<60 {
      threads.enter()
      Thread.detachNewThread { [program] in
        let status = try? program.transport().send(
          path: "/v1/evaluate", headers: [], body: body
        ).0
        holder.statuses.withLock { $0.append(status ?? 0) }
        threads.leave()
      }
    }
    let request = KeyRequest(.deviceShare, name: "disk", creates: true)
    let served = try send(
      SignedRequest(
        realm: tom.realm, device: tom.id, sequence: 10, path: "/v1/keys/get",
        body: request.encoded), tom.key)
    #expect(served == 200)
    threads.wait()
    // Five attempts are answered, and then the account has to wait a minute.
    let counts = Dictionary(grouping: holder.statuses.withLock { $0 }) { $0 }.mapValues(\.count)
    #expect(counts == [200: 5, 429: 55])
    #expect(try store.accounts().first { $0.name == "eva" }?.attempts == 5)
    #expect(program.stop() == 0)
  }

  private final class Holder: Sendable {
    let statuses: Mutex<[Int]>
    init(_ statuses: consuming Mutex<[Int]>) { self.statuses = statuses }
  }

  @Test func `A request is accepted once, and only from the device that signed it`() throws {
    for name in ["eva", "tom"] { try store.createAccount(name) }
    let eva = try TestDevice(store, account: "eva")
    let tom = try TestDevice(store, account: "tom")
    let share = KeyRequest(.deviceShare, name: "disk", creates: true).encoded
    let key = KeyRequest(.keyEncryption, name: "documents", creates: true).encoded
    func request(
      _ device: Data, _ number: UInt64, path: String = "/v1/keys/get", _ body: Data
    ) -> SignedRequest {
      SignedRequest(realm: eva.realm, device: device, sequence: number, path: path, body: body)
    }
    // The control: the request is right.
    #expect(try send(request(eva.id, 10, share), eva.key) == 200)
    #expect(try send(request(eva.id, 10, share), eva.key) == 409)
    #expect(try send(request(eva.id, 9, share), eva.key) == 409)
    // Another device under this device's identity, and an identity that does not exist.
    #expect(try send(request(eva.id, 11, share), tom.key) == 401)
    #expect(try send(request(Data(count: 16), 11, share), eva.key) == 401)
    // The same name is another key for another account.
    #expect(try send(request(tom.id, 10, key), tom.key) == 200)
    let other = KeyRequest(.keyEncryption, name: "documents").encoded
    #expect(try send(request(eva.id, 12, other), eva.key) == 404)
    // A device cannot register a passphrase for another account.
    let registration = Registration(
      account: "eva", publicKey: EvaluationKey().publicKey, verifyingKey: Data(count: 32),
      former: nil)
    #expect(
      try send(request(tom.id, 11, path: "/v1/register", registration.encoded), tom.key) == 403)
    // A signature for one path is not valid for another.
    let moved = request(eva.id, 13, path: "/v1/keys/rotate", share)
    let signature = try eva.key.signature(for: moved.signedBytes).rawRepresentation
    let status = try program.transport().send(
      path: "/v1/keys/get",
      headers: [
        (SignedRequest.deviceHeader, eva.id.hexadecimal), (SignedRequest.sequenceHeader, "13"),
        (SignedRequest.signatureHeader, signature.hexadecimal),
      ], body: share
    ).0
    #expect(status == 401)
    #expect(program.stop() == 0)
  }

  @Test func `A source that names too many accounts is refused, and so is a device`() throws {
    let limited = try ServerProgram(database, flags: ["--names-per-source", "3"])
    try store.createAccount("eva")
    let eva = try TestDevice(store, account: "eva")
    let statuses = try (0..<5).map { name in
      try limited.transport().send(
        path: "/v1/evaluate", headers: [],
        body: Evaluation(account: "nobody \(name)", element: element).encoded
      ).0
    }
    #expect(statuses == [200, 200, 200, 429, 429])
    let body = Evaluation(account: "eva", element: try element).encoded
    let request = SignedRequest(
      realm: eva.realm, device: eva.id, sequence: 10, path: "/v1/evaluate", body: body)
    let signature = try eva.key.signature(for: request.signedBytes).rawRepresentation
    let status = try limited.transport().send(
      path: "/v1/evaluate",
      headers: [
        (SignedRequest.deviceHeader, eva.id.hexadecimal), (SignedRequest.sequenceHeader, "10"),
        (SignedRequest.signatureHeader, signature.hexadecimal),
      ], body: body
    ).0
    #expect(status == 200)
    // The device has a limit of its own for accounts of others.
    let others = try (11...15).map { number in
      let body = Evaluation(account: "somebody \(number)", element: try element).encoded
      let request = SignedRequest(
        realm: eva.realm, device: eva.id, sequence: UInt64(number), path: "/v1/evaluate",
        body: body)
      let signature = try eva.key.signature(for: request.signedBytes).rawRepresentation
      return try limited.transport().send(
        path: "/v1/evaluate",
        headers: [
          (SignedRequest.deviceHeader, eva.id.hexadecimal),
          (SignedRequest.sequenceHeader, "\(number)"),
          (SignedRequest.signatureHeader, signature.hexadecimal),
        ], body: body
      ).0
    }
    #expect(others == [200, 200, 200, 429, 429])
    #expect(limited.stop() == 0 && program.stop() == 0)
  }
}
