import AtRest
import Foundation
import GRDB
import Synchronization
import Testing

/// Threads that kept the pool of a database read from it while its class locks. Each gets an error, and the process
/// goes on: GRDB ends a process that reads from a pool while it is closed.
@Suite struct KeptPoolTests {
  private static let count = "SELECT count(*) FROM note"

  @Test func readersGetAnErrorAtTheLock() throws {
    let test = try TestVault()
    let database = try test.open().logIn("eva").databaseWithNote()
    for _ in 0..<40 {
      let pool = try database.pool
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
      let refusals = Atomic(0)
      for _ in 0..<4 {
        ended.enter()
        Thread.detachNewThread {
          defer { ended.leave() }
          var isFirst = true
          while true {
            do {
              guard try pool.read({ try Int.fetchOne($0, sql: Self.count) }) == 1 else { return }
            } catch {
              if error is DatabaseError { refusals.add(1, ordering: .relaxed) }
              return
            }
            if isFirst { begun.signal() }
            isFirst = false
          }
        }
      }
      for _ in 0..<4 { begun.wait() }
      test.device.lock()
      ended.wait()
      #expect(refusals.load(ordering: .relaxed) == 4)
      try test.device.unlock()
    }
    #expect(try database.notes == ["walrus"])
  }

  @Test func observationsEndAtTheLock() throws {
    let test = try TestVault()
    let database = try test.open().logIn("eva").databaseWithNote()
    for round in 0..<20 {
      let pool = try database.pool
      let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: Self.count) }
      let first = DispatchSemaphore(value: 0)
      let cancellable = observation.start(
        in: pool, scheduling: .async(onQueue: .global()), onError: { _ in first.signal() },
        onChange: { _ in first.signal() })
      first.wait()
      let adding = DispatchGroup()
      DispatchQueue.global().async(group: adding) { try? database.add("\(round)") }
      test.device.lock()
      adding.wait()
      #expect(throws: DatabaseError.self) {
        try pool.read { try Int.fetchOne($0, sql: Self.count) }
      }
      cancellable.cancel()
      try test.device.unlock()
    }
    #expect(try database.notes.first == "walrus")
  }
}
