import AtRestCrypto
import AtRestKeychain
import Foundation
import Security

extension AtRestBenchmarks {
  /// Compares Keychain Services with the typed calls, on one store in one run.
  mutating func services(in place: URL) throws {
    let store = try Store(making: place)
    defer { store.keychain.close() }
    let count = 10_000
    try store.add((0..<count).map(Sample.key))
    DefaultKeychain.set(store.keychain)
    defer { DefaultKeychain.set(nil) }
    var generator = Generator(seed: 4)
    let calls = 1_000
    let keys = (0..<calls).map { _ in
      Sample.key(Int.random(in: 0..<count, using: &generator))
    }
    func search(for kind: CFString) -> (Int) throws -> Void {
      // The queries are made before, so the time is that of the call.
      let queries = keys.map { key -> CFDictionary in
        let query: [CFString: Any] = [
          kSecClass: kSecClassGenericPassword,
          kSecAttrService: key.attributes.service ?? "",
          kSecAttrAccount: key.attributes.account ?? "",
          kind: true,
        ]
        return query as CFDictionary
      }
      return { _ in
        for query in queries {
          var result: CFTypeRef?
          precondition(SecItemCopyMatching(query, &result) == errSecSuccess)
          precondition(result != nil)
        }
      }
    }
    let rounds = try Rounds(
      31, calls: calls,
      [
        { _ in for key in keys { _ = try store.keychain.secret(for: key).count } },
        search(for: kSecReturnData), search(for: kSecReturnAttributes),
      ])
    let limits = [(1, "data", 1.8), (2, "attributes", 2.5)]
    report.table(
      "Reading one item by primary key through Keychain Services, warm, \(count.grouped) items",
      ["result", "typed secret(for:), µs", "SecItemCopyMatching, µs", "ratio"],
      limits.map { index, name, limit in
        let ratio = rounds.ratio(index, to: 0)
        return [
          name, rounds.median(0).rounded(1), rounds.median(index).rounded(1),
          report.judged(ratio.rounded(2), ratio <= limit, "≤ \(limit)"),
        ]
      })
  }
}
