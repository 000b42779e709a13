@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Glibc
import Testing

/// Kills `atrest-keyserver key rotate` at a random moment. `ATREST_TORTURE=full` does so 100 times.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct RotationKillTests {
  private static let kills =
    ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full" ? 100 : 6
  private static let accounts = 200

  @Test func `A rotation that is killed has changed everything or nothing`() throws {
    let database = try TestDatabase(.postgreSQL)
    var key = database.serverKey
    var store = try database.store(keepsLedger: false)
    for number in 0..<Self.accounts { try store.createAccount("account \(number)") }
    let device = try TestDevice(store, account: "account 0")
    let request = KeyRequest(.deviceShare, name: "disk", creates: true)
    let share = try store.key(request, device.signature()).key
    var duration = ContinuousClock.now.duration(to: .now)
    var finished = 0
    for kill in 0...Self.kills {
      let newKey = RandomBytes.data(count: 32)
      let files = (TemporaryFile(), TemporaryFile())
      try files.0.write(key.hexadecimal)
      try files.1.write(newKey.hexadecimal)
      let connections = try database.connectionCount()
      let start = ContinuousClock.now
      let pid = try ChildProcess.start(
        [ServerProgram.path, "key", "rotate", files.1.path, "--server-key", files.0.path]
          + database.flags,
        output: "/dev/null")
      // The first one is not killed, to know how long it takes.
      if kill > 0 {
        usleep(.random(in: 0...UInt32(duration / .microseconds(1))))
        Glibc.kill(pid, SIGKILL)
      }
      let status = ChildProcess.wait(pid)
      if kill == 0 {
        #expect(status == 0)
        duration = ContinuousClock.now - start
      }
      // What the program asked of the database is finished.
      #expect(try eventually { try database.connectionCount() <= connections })
      let opened = [key, newKey].filter { key in
        guard let found = try? database.store(serverKey: key) else { return false }
        store = found
        return true
      }
      #expect(opened.count == 1)
      guard let present = opened.first else { return }
      if present == newKey { finished += 1 }
      key = present
      // The ledger was built, so the digests of the tables are right.
      #expect(try store.accounts().count == Self.accounts)
      #expect(try store.key(request, device.signature()).key == share)
      _ = try store.forEachAuditEntry { _ in }
    }
    // The control: not all were killed before they did anything, nor after it.
    #expect(finished >= 1 && finished <= Self.kills)
  }
}
