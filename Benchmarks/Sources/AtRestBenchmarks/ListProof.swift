import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDBSQLite

extension AtRestBenchmarks {
  /// Damages every secret in the file. A list that opened one would fail; reading one must fail.
  mutating func provesThatListsDecryptNoSecret(in place: URL) throws {
    let store = try Store(making: place)
    try store.add((0..<1_000).map(Sample.key))
    store.keychain.close()
    var database: OpaquePointer?
    // atrest:ignore plaintext-sqlite damages a store on purpose
    try BareStore.check(sqlite3_open(store.databasePath, &database))
    let spoil = "UPDATE item SET secret = zeroblob(length(secret)), key = zeroblob(length(key))"
    try BareStore.check(sqlite3_exec(database, spoil, nil, nil, nil))
    sqlite3_close(database)

    let keychain = try store.reopened()
    defer { keychain.close() }
    var listed = 0
    var withheld = 0
    var refused = 0
    for service in 0..<100 {
      let items = try keychain.items(
        matching: KeychainQuery(.genericPassword, [.service: .text("service-\(service)")]))
      listed += items.filter { $0.withSecret { _ in true } == nil }.count
      withheld += items.withheld.count
    }
    for number in 0..<1_000 {
      do {
        _ = try keychain.secret(for: Sample.key(number)).count
      } catch AtRestError.Code.damaged {
        refused += 1
      }
    }
    report.table(
      "With every secret and its key overwritten in the file, 1,000 items",
      ["listed by service", "withheld from the lists", "secrets refused as damaged"],
      [
        [
          report.judged(listed.grouped, listed == 1_000, "1,000"), withheld.grouped,
          report.judged(refused.grouped, refused == 1_000, "1,000"),
        ]
      ])
  }
}
