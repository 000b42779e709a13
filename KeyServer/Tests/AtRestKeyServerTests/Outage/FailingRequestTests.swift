import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Synchronization
import Testing

/// A request fails at each of its steps: the connection to the database is lost before what the server sends, within
/// it, or before its answer, once or for good. The request was then done once, or not at all.
///
/// `ATREST_TORTURE=full` tries each of the three once and for good.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct FailingRequestTests {
  /// What can be asked of a store, by devices and by the operator.
  enum Call: CaseIterable {
    case evaluate, prove, register, enrol, successor, move
    case createShare, rotateKey, raiseMinimum
    case createAccount, createCode, unlock, reset, delete, revokeDevice
  }

  typealias Request = (KeyServerStore) throws -> Void

  /// A store with accounts, as others see it whose connection is never lost.
  private struct Scene {
    let store: KeyServerStore
    let eva: TestDevice
    let key = KeyRequest(.keyEncryption, name: "documents")

    init(_ database: TestDatabase) throws {
      store = try database.store(rules: AttemptRules(limit: 100, delays: []))
      try store.createAccount("eva")
      eva = try TestDevice(store, account: "eva")
      try eva.register("right", store)
      var request = key
      request.creates = true
      _ = try store.key(request, eva.signature())
    }

    /// Makes an account with a device, a passphrase and a share.
    private func tom(_ suite: EvaluationSuite = .current) throws -> TestDevice {
      let name = "tom \(UInt64.random(in: 0 ... .max))"
      try store.createAccount(name, suite: suite)
      let tom = try TestDevice(store, account: name)
      try tom.register("right", store)
      _ = try store.key(KeyRequest(.deviceShare, name: "disk", creates: true), tom.signature())
      return tom
    }

    /// Returns a request that can be done once.
    func request(_ call: Call) throws -> Request {
      switch call {
      case .evaluate: return { _ = try eva.attempt("wrong", $0) }
      case .prove:
        let proof = try eva.attempt("right", store).proof
        return { try $0.prove(proof, eva.signature()) }
      case .register:
        let former = try eva.attempt("right", store).proof
        let registration = try eva.attempt("right", store).registration(former: former)
        return { try $0.register(registration, eva.signature()) }
      case .enrol:
        let code = try store.createCode(for: "eva")
        let enrolment = Enrolment(
          code: code, publicKey: eva.key.publicKey.x963Representation, label: "another")
        return { _ = try $0.enrol(enrolment, sequence: 1, isSigned: true) }
      case .successor:
        let tom = try tom(.p384)
        return { _ = try $0.successor(tom.signature()) }
      case .move:
        let tom = try tom(.p384)
        let successor = try store.successor(tom.signature())
        let next = try TestAttempt(
          "right", account: tom.account, publicKey: successor.publicKey, store, tom.signature())
        var registration = next.registration(former: try tom.attempt("right", store).proof)
        let carried = Data(repeating: 7, count: HardenedRoot.carriedCount)
        registration.carried = carried
        try store.register(registration, tom.signature())
        let move = try next.move(carried: carried, realm: store.realm)
        return { try $0.move(move, tom.signature()) }
      case .createShare:
        let name = "\(UInt64.random(in: 0 ... .max))"
        let share = KeyRequest(.deviceShare, name: name, creates: true)
        return { _ = try $0.key(share, eva.signature()) }
      case .rotateKey:
        var present = key
        present.version = try store.key(key, eva.signature()).version
        _ = try store.raiseMinimum(present, eva.signature())
        return { _ = try $0.rotateKey(key, eva.signature()) }
      case .raiseMinimum:
        var next = key
        next.version = try store.rotateKey(key, eva.signature()).version
        return { [next] in _ = try $0.raiseMinimum(next, eva.signature()) }
      case .createAccount:
        let name = "ann \(UInt64.random(in: 0 ... .max))"
        return { try $0.createAccount(name) }
      case .createCode: return { _ = try $0.createCode(for: "eva") }
      case .unlock: return { try $0.unlockAccount("eva") }
      case .reset:
        let name = try tom().account
        return { try $0.resetPassphrase(of: name) }
      case .delete:
        let name = try tom().account
        return { try $0.deleteAccount(name) }
      case .revokeDevice:
        let id = try tom().id
        return { try $0.revokeDevice(id) }
      }
    }

    /// A number that each request raises by one: attempts, attempts that were proved, or entries of the audit log.
    func count(_ call: Call) throws -> Int {
      switch call {
      case .evaluate, .prove:
        let attempts = try store.accounts().first { $0.name == "eva" }?.attempts ?? 0
        return call == .evaluate ? attempts : -attempts
      default:
        try store.observe()
        return Int(store.seenEntries)
      }
    }
  }

  /// The rows of all tables.
  private func rows(_ database: TestDatabase) throws -> String {
    let tables = ["state", "accounts", "attempts", "codes", "devices", "keys", "audit"]
    let rows = tables.map { "SELECT t::TEXT AS row FROM keyserver_\($0) t" }
      .joined(separator: " UNION ALL ")
    return try database.psql(
      "SELECT md5(string_agg(row, ',' ORDER BY row)) FROM (\(rows)) AS everything")
  }

  /// Returns a store whose connections a proxy can lose.
  private func store(_ database: TestDatabase, _ proxy: DatabaseProxy, _ rules: AttemptRules) throws
    -> KeyServerStore
  {
    let folder = try PostgreSQLServer.shared.get().folder
    let connection = try #require(database.connectionString)
      .replacing("host=\(folder)", with: "host=\(proxy.folder)")
    return try KeyServerStore(
      Database(.postgreSQL(connection)), serverKey: SecretBytes(database.serverKey), rules: rules)
  }

  @Test(arguments: Call.allCases)
  func `A request that fails at any step was done once, or not at all`(call: Call) throws {
    let proxy = try DatabaseProxy(PostgreSQLServer.shared.get())
    let database = try TestDatabase(.postgreSQL)
    let scene = try Scene(database)
    let store = try store(database, proxy, scene.store.rules)
    var failures = 0
    for loss in DatabaseProxy.Loss.allCases {
      for isLasting in FailOverTests.cycles > 1 ? [false, true] : [loss != .answer] {
        for step in 0... {
          // The connection is made, and its statements are prepared.
          try scene.request(call)(store)
          let request = try scene.request(call)
          let (before, count) = (try rows(database), try scene.count(call))
          proxy.lose(after: step, loss, isLasting: isLasting)
          let result = Result { try request(store) }
          let wasLost = proxy.endLosses()
          let times = try scene.count(call) - count
          let comment: Comment = "\(loss) \(step), lasting: \(isLasting), \(result)"
          switch result {
          case .success: #expect(times == 1, comment)
          case .failure(let error as AtRestError):
            failures += 1
            #expect(error.code == .keyServerOffline, comment)
            // The answer to a commit was lost, so nobody knows whether it was made.
            #expect(times == 0 || times == 1 && loss == .answer, comment)
          case .failure(let error): Issue.record(error, comment)
          }
          #expect(try (rows(database) == before) == (times == 0), comment)
          if times == 0 {
            try request(store)
            #expect(try scene.count(call) == count + 1, comment)
          }
          if call == .evaluate { try scene.store.unlockAccount("eva") }
          guard wasLost else { break }
          try #require(step < 100)
        }
      }
    }
    // The control: requests failed.
    #expect(failures > 3)
    try scene.store.verifyTables()
    _ = try scene.store.forEachAuditEntry { _ in }
  }

  @Test func `Attempts that are counted together fail together, or are all counted`() throws {
    let proxy = try DatabaseProxy(PostgreSQLServer.shared.get())
    let database = try TestDatabase(.postgreSQL)
    let operatorStore = try database.store()
    let store = try store(database, proxy, .standard)
    let names = (0..<8).map { "eva \($0)" }
    for name in names {
      try operatorStore.createAccount(name, policy: AccountPolicy(allowsUnknownDevices: true))
    }
    var failures = 0
    for loss in DatabaseProxy.Loss.allCases {
      for step in 0..<12 {
        // Two transactions begin, and the other attempts wait for them.
        proxy.hold([.requests])
        let answered = Mutex<Set<String>>([])
        let threads = DispatchGroup()
        for name in names {
          threads.enter()
          Thread.detachNewThread {
            defer { threads.leave() }
            guard (try? TestAttempt("guess", account: name, publicKey: nil, store, nil)) != nil
            else { return }
            answered.withLock { _ = $0.insert(name) }
          }
        }
        usleep(20_000)
        proxy.lose(after: step, loss, isLasting: step.isMultiple(of: 2))
        proxy.release()
        threads.wait()
        _ = proxy.endLosses()
        for account in try operatorStore.accounts() {
          let isAnswered = answered.withLock { $0.contains(account.name) }
          if !isAnswered { failures += 1 }
          let isPossible =
            account.attempts == (isAnswered ? 1 : 0)
            || !isAnswered && loss == .answer && account.attempts == 1
          #expect(isPossible, "\(account), answered: \(isAnswered), \(loss) \(step)")
        }
        for name in names { try operatorStore.unlockAccount(name) }
      }
    }
    // The control: attempts failed.
    #expect(failures > 24)
  }
}
