import AtRestCrypto
import AtRestKeychain
import Foundation

extension AtRestBenchmarks {
  mutating func peers(in place: URL) throws {
    let count = 2_000
    let keyringTimes = try Peer.gnomeKeyring.measure(items: count, in: place)
    let passTimes = try Peer.pass.measure(items: count, in: place)
    let mine = try operations(in: place.appendingPathComponent("peers"), items: count)
    let rows = ["add", "get", "update", "delete", "search"].map { name in
      var row = [name, (mine[name] ?? .nan).rounded(3)]
      for peer in [keyringTimes, passTimes] {
        guard let time = peer?[name], let own = mine[name] else {
          row += ["not installed", "–"]
          continue
        }
        let ratio = time / own
        let times = "\(Int(ratio).grouped)×"
        row.append(time.rounded(1))
        if peer == keyringTimes && ["add", "update", "delete"].contains(name) {
          row.append(report.judged(times, ratio >= 20, "≥ 20×"))
        } else {
          row.append(times)
        }
      }
      return row
    }
    report.table(
      "At \(count.grouped) items, median ms a call",
      ["call", "keychain", "gnome-keyring", "slower by", "pass", "slower by"], rows)
  }

  /// Returns the median of each operation in milliseconds. Durability is that of the default
  /// settings.
  private func operations(in place: URL, items count: Int) throws -> [String: Double] {
    let store = try Store(making: place)
    let keychain = store.keychain
    defer { keychain.close() }
    try store.add((0..<count).map(Sample.key))
    var times: [String: [Double]] = [:]
    let secret = SecretBytes(Sample.secret)
    let other = SecretBytes(Sample.otherSecret)
    for turn in 0..<500 {
      let new = Sample.key(count + turn)
      let known = (turn * 7919) % count
      let key = Sample.key(known)
      let query = KeychainQuery(.genericPassword, [.service: .text(Sample.service(known))])
      let turns: [(String, () throws -> Void)] = [
        ("add", { try keychain.add(new, secret: secret) }),
        ("get", { _ = try keychain.secret(for: key).count }),
        ("update", { try keychain.update(key, secret: other) }),
        ("search", { try expect(10, keychain.items(matching: query).count) }),
        ("delete", { try keychain.delete(new) }),
      ]
      for (name, call) in turns {
        times[name, default: []].append(try microseconds(call) / 1_000)
      }
    }
    return times.mapValues(\.median)
  }
}
