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
    let rounds = try Rounds(
      31, calls: calls,
      [
        { _ in for key in keys { _ = try store.keychain.secret(for: key).count } },
        { _ in
          for key in keys {
            let query: [CFString: Any] = [
              kSecClass: kSecClassGenericPassword,
              kSecAttrService: key.attributes.service ?? "",
              kSecAttrAccount: key.attributes.account ?? "",
              kSecReturnData: true,
            ]
            var result: CFTypeRef?
            precondition(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            precondition(result is NSData)
          }
        },
      ])
    let ratio = rounds.ratio(1, to: 0)
    report.table(
      "Reading one secret by primary key through Keychain Services, warm",
      ["items", "typed call, µs", "SecItemCopyMatching, µs", "ratio"],
      [
        [
          count.grouped, rounds.median(0).rounded(1), rounds.median(1).rounded(1),
          report.judged(ratio.rounded(2), ratio <= 2.5, "≤ 2.5"),
        ]
      ])
  }
}
