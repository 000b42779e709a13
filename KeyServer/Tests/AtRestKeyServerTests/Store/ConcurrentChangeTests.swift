import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Dispatch
import Foundation
import Synchronization
import Testing

/// Servers and operators that change one database at the same time take nothing for a row that was put back.
@Suite struct ConcurrentChangeTests {
  private final class Errors: Sendable {
    let found = Mutex<[String]>([])
    func add(_ error: any Error) { found.withLock { $0.append("\(error)") } }
  }

  /// Runs a closure on some threads, and returns the errors.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String]
  {
    let errors = Errors()
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      // A thread for each, because some wait for others.
      Thread.detachNewThread {
        do { try body(index) } catch { errors.add(error) }
        group.leave()
      }
    }
    group.wait()
    return errors.found.withLock { $0 }
  }

  private struct Failure: Error { let text: String }

  private static func requireRevoked(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as AtRestError where error.code == .revoked {
      return
    }
    throw Failure(text: "A device that another store revoked was accepted.")
  }

  @Test(arguments: TestDatabase.kinds)
  func `Changes of several servers are never called put back`(kind: TestDatabase.Kind) throws {
    let database = try TestDatabase(kind)
    let rules = AttemptRules(limit: 100, delays: [])
    let stores = try (0..<2).map { _ in try database.store(rules: rules) }
    let operatorStore = try database.store(keepsLedger: false)
    try stores[0].createAccount("shared")
    let rounds = 3
    let errors = onThreads(6) { index in
      let store = stores[index % 2]
      for round in 0..<rounds {
        let name = "account \(index) \(round)"
        try operatorStore.createAccount(name)
        let device = try TestDevice(store, account: "shared")
        let own = try TestDevice(stores[(index + 1) % 2], account: name)
        let request = KeyRequest(.keyEncryption, name: "documents", creates: true)
        _ = try store.key(request, device.signature())
        if round % 3 == 0 { _ = try store.rotateKey(request, device.signature()) }
        try own.register("right", store)
        try store.prove(own.attempt("right", store).proof, own.signature())
        try operatorStore.revokeDevice(device.id)
        try Self.requireRevoked { _ = try store.key(request, device.signature()) }
        if round % 2 == 0 { try operatorStore.deleteAccount(name) }
      }
    }
    #expect(errors.isEmpty, "\(errors.first ?? "")")
    for store in stores { try store.verifyTables() }
  }

  @Test(arguments: TestDatabase.kinds)
  func `Requests go on through a rotation, or are told to try again`(kind: TestDatabase.Kind) throws
  {
    let database = try TestDatabase(kind)
    let newKey = RandomBytes.data(count: 32)
    let first = try database.store(nextServerKey: newKey)
    for name in 0..<4 { try first.createAccount("account \(name)") }
    let devices = try (0..<4).map { try TestDevice(first, account: "account \($0)") }
    let request = KeyRequest(.deviceShare, name: "disk", creates: true)
    let shares = try devices.map { try first.key(request, $0.signature()).key }
    let isRotated = Flag()
    let errors = onThreads(5) { index in
      guard index < 4 else {
        try database.store(keepsLedger: false).rotateKeys(to: SecretBytes(newKey))
        isRotated.set()
        return
      }
      // Until a request was answered after the rotation.
      for _ in 0..<100_000 {
        let wasRotated = isRotated.isSet
        do {
          let share = try first.key(request, devices[index].signature()).key
          guard share == shares[index] else { throw Failure(text: "The share changed.") }
          if wasRotated { return }
        } catch let error as AtRestError where error.code == .busy {}
      }
    }
    #expect(errors.isEmpty, "\(errors.first ?? "")")
    try first.verifyTables()
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  @Test(arguments: TestDatabase.kinds)
  func `Nobody makes an enrolment busy by making keys, or by reading the audit log`(
    kind: TestDatabase.Kind
  ) throws {
    let database = try TestDatabase(kind)
    let store = try database.store()
    try store.createAccount("eva")
    try store.createAccount("loud")
    let loud = try (0..<3).map { _ in try TestDevice(store, account: "loud") }
    let isDone = Flag()
    let errors = onThreads(4) { index in
      guard index == 3 else {
        var number = 0
        while !isDone.isSet, number < 100 {
          number += 1
          let request = KeyRequest(.deviceShare, name: "share \(number)", creates: true)
          _ = try store.key(request, loud[index].signature())
        }
        return
      }
      defer { isDone.set() }
      for _ in 0..<5 { _ = try TestDevice(store, account: "eva") }
    }
    #expect(errors.isEmpty, "\(errors.first ?? "")")
    var enrolled = 0
    _ = try store.forEachAuditEntry { entry in
      if entry.number <= 2 {
        _ = try TestDevice(store, account: "eva")
        enrolled += 1
      }
    }
    #expect(enrolled == 2)
  }
}
