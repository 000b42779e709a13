import AtRestCrypto
import AtRestKeychain
import Foundation

/// Repeats one operation for five seconds, for a profiler.
func profile(_ operation: String, in place: URL) throws {
  let count = 10_000
  let store = try Store(making: place)
  defer { store.keychain.close() }
  try store.add((0..<count).map(Sample.key))
  let keys = (0..<count).map(Sample.key)
  let secret = SecretBytes(Sample.secret)
  let end = ContinuousClock.now + .seconds(5)
  var calls = 0
  let start = ContinuousClock.now
  while ContinuousClock.now < end {
    switch operation {
    case "get":
      for key in keys { _ = try store.keychain.secret(for: key).count }
      calls += count
    case "add":
      for number in 0..<100 {
        try store.keychain.add(Sample.key(count + calls + number), secret: secret)
      }
      calls += 100
    case "batch":
      try store.add((count + calls..<2 * count + calls).map(Sample.key))
      calls += count
    default:
      for number in 0..<100 {
        let query = KeychainQuery(.genericPassword, [.service: .text(Sample.service(number * 10))])
        _ = try store.keychain.items(matching: query).count
      }
      calls += 100
    }
  }
  let each = (ContinuousClock.now - start) / .microseconds(1) / Double(calls)
  print("\(operation): \(each.rounded(1)) µs a call")
}
