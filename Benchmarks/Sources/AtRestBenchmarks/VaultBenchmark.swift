import AtRest
import AtRestCrypto
import AtRestKeychain
import Foundation

extension AtRestBenchmarks {
  /// Compares the vault with the keychain's own calls, on one store in one run.
  mutating func vault(in place: URL) throws {
    let store = try Store(making: place)
    defer { store.keychain.close() }
    let vault = try Vault.open(
      in: place.appendingPathComponent("vault"), keychain: store.keychain)
    let account = try vault.logIn("eva")
    let count = 1_000
    let value = Data(repeating: 7, count: 100)
    let keys = (0..<count).map(Sample.key)
    let records = (0..<count).map { VaultRecord<Data>("value \($0)", .document) }
    let writes = try Rounds(
      21, calls: 100,
      [
        { round in
          for number in 0..<100 {
            try store.keychain.set(keys[(round * 100 + number) % count], secret: SecretBytes(value))
          }
        },
        { round in
          for number in 0..<100 {
            try account.store(value, in: records[(round * 100 + number) % count])
          }
        },
      ])
    let reads = try Rounds(
      31, calls: count,
      [
        { _ in for key in keys { _ = Data(copying: try store.keychain.secret(for: key)) } },
        { _ in for record in records { _ = try account.value(in: record) } },
      ])
    report.table(
      "A value of 100 bytes through the Vault, warm",
      ["call", "keychain, µs", "vault, µs", "ratio"],
      [("store", writes), ("read", reads)].map { name, rounds in
        let ratio = rounds.ratio(1, to: 0)
        return [
          name, rounds.median(0).rounded(1), rounds.median(1).rounded(1),
          report.judged(ratio.rounded(2), ratio <= 1.25, "≤ 1.25"),
        ]
      })
  }
}
