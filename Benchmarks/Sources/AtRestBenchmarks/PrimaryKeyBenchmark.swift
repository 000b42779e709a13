import AtRestCrypto
import AtRestKeychain
import Foundation

/// Calls that name the whole primary key, among items that all have the same service.
extension AtRestBenchmarks {
  /// A call on one item, with its name in the table.
  private struct Call: Sendable {
    let name: String
    /// True if the call deletes the item.
    var deletes = false
    let run: @Sendable (Keychain, PrimaryKey) throws -> Void
  }

  private static let missing = PrimaryKey.genericPassword(service: "one-service", account: "none")

  private static let calls = [
    Call(name: "secret(for:)") { _ = try $0.secret(for: $1).count },
    Call(name: "secret(for:), not found") { keychain, _ in
      do {
        _ = try keychain.secret(for: missing).count
        throw WrongAnswer(wanted: 0, found: 1)
      } catch AtRestError.Code.notFound {}
    },
    Call(name: "item(for:)") { _ = try $0.item(for: $1).attributes },
    Call(name: "secret(for: reference)") { keychain, key in
      _ = try keychain.secret(for: keychain.item(for: key).reference).count
    },
    Call(name: "items(matching:)") {
      try expect(1, $0.items(matching: KeychainQuery($1)).count)
    },
    Call(name: "items(matching:), not found") { keychain, _ in
      try expect(0, keychain.items(matching: KeychainQuery(missing)).count)
    },
    Call(name: "items(matching:secrets:)") {
      try expect(1, $0.items(matching: KeychainQuery($1), secrets: true).count)
    },
    Call(name: "update(_:secret:)") {
      try $0.update($1, secret: SecretBytes(Sample.otherSecret))
    },
    Call(name: "update(matching:secret:)") {
      try expect(1, $0.update(matching: KeychainQuery($1), secret: SecretBytes(Sample.otherSecret)))
    },
    Call(name: "delete(_:)", deletes: true) { try $0.delete($1) },
    Call(name: "delete(matching:)", deletes: true) {
      try expect(1, $0.delete(matching: KeychainQuery($1)))
    },
  ]

  mutating func primaryKeys(in place: URL) throws {
    let counts = [1_000, 10_000, 100_000].filter { $0 <= maximum }
    guard let first = counts.first else { return }
    let small = try Store(making: place.appendingPathComponent("small"))
    try small.add((0..<first).map(Sample.keyOfOneService))
    let large = try Store(making: place.appendingPathComponent("large"))
    defer {
      small.keychain.close()
      large.keychain.close()
    }
    var rows = Self.calls.map { [$0.name] }
    var filled = 0
    for count in counts {
      try large.add((filled..<count).map(Sample.keyOfOneService))
      filled = count
      for (index, call) in Self.calls.enumerated() {
        let growth = try growth(of: call, small: small, large: large, count)
        rows[index].append(growth.median.rounded(1))
        guard count > first else { continue }
        rows[index].append(report.judged(growth.ratio.rounded(2), growth.ratio <= 1.5, "≤ 1.5"))
      }
    }
    let columns = counts.flatMap { count in
      ["at \(count.grouped), µs"] + (count > first ? ["to \(first.grouped)"] : [])
    }
    report.table(
      "Calls with the whole primary key, all items of one service", ["call"] + columns, rows)
  }

  private func growth(
    of call: Call, small: Store, large: Store, _ count: Int
  ) throws -> Growth {
    var generator = Generator(seed: UInt64(count))
    let numbers = (0..<400).map { _ in Int.random(in: 0..<count, using: &generator) }
    let keys = numbers.map(Sample.keyOfOneService)
    let fewKeys = numbers.map { Sample.keyOfOneService($0 % 1_000) }
    return try Growth(
      calls: numbers.count,
      large: { try call.run(large.keychain, keys[$0]) },
      small: { try call.run(small.keychain, fewKeys[$0]) },
      undo: { isLarge, number in
        guard call.deletes else { return }
        try isLarge ? large.add([keys[number]]) : small.add([fewKeys[number]])
      })
  }
}
