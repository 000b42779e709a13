import AtRestCrypto
import AtRestKeychain
import Foundation
import Security

/// Calls of Keychain Services that name the whole primary key, among items of one service.
extension AtRestBenchmarks {
  private struct Call {
    let name: String
    var returns: CFString?
    var deletes = false
    /// The call to make with a query, other than `SecItemCopyMatching`.
    var run: ((CFDictionary) -> OSStatus)?

    func callAsFunction(_ query: CFDictionary) throws {
      if let run { return try expect(Int(errSecSuccess), Int(run(query))) }
      var result: CFTypeRef?
      let status =
        returns == nil ? SecItemCopyMatching(query, nil) : SecItemCopyMatching(query, &result)
      try expect(Int(errSecSuccess), Int(status))
      guard returns == nil || result != nil else { throw WrongAnswer(wanted: 1, found: 0) }
    }
  }

  private static var calls: [Call] {
    [
      Call(name: "SecItemCopyMatching, data", returns: kSecReturnData),
      Call(name: "SecItemCopyMatching, attributes", returns: kSecReturnAttributes),
      Call(name: "SecItemCopyMatching, reference", returns: kSecReturnPersistentRef),
      Call(name: "SecItemCopyMatching, nothing"),
      Call(
        name: "SecItemUpdate",
        run: {
          SecItemUpdate($0, [kSecValueData: Sample.otherSecret] as [CFString: Any] as CFDictionary)
        }),
      Call(name: "SecItemDelete", deletes: true, run: { SecItemDelete($0) }),
    ]
  }

  mutating func servicesByPrimaryKey(in place: URL) throws {
    let small = try Store(making: place.appendingPathComponent("small"))
    let large = try Store(making: place.appendingPathComponent("large"))
    defer {
      DefaultKeychain.set(nil)
      small.keychain.close()
      large.keychain.close()
    }
    try small.add([Sample.keyOfOneService(0)])
    try large.add((0..<10_000).map(Sample.keyOfOneService))
    var generator = Generator(seed: 5)
    let numbers = (0..<400).map { _ in Int.random(in: 0..<10_000, using: &generator) }
    let rows = try Self.calls.map { call in
      let growth = try Self.growth(of: call, small: small, large: large, numbers)
      return [
        call.name, (growth.median / growth.ratio).rounded(1), growth.median.rounded(1),
        report.judged(growth.ratio.rounded(2), growth.ratio <= 1.5, "≤ 1.5"),
      ]
    }
    report.table(
      "Keychain Services with the whole primary key, all items of one service",
      ["call", "at 1, µs", "at 10,000, µs", "ratio"], rows)
  }

  private static func growth(
    of call: Call, small: Store, large: Store, _ numbers: [Int]
  ) throws -> Growth {
    let keys = numbers.map(Sample.keyOfOneService)
    let fewKeys = numbers.map { _ in Sample.keyOfOneService(0) }
    let queries = keys.map { query($0, call.returns) }
    let fewQueries = fewKeys.map { query($0, call.returns) }
    DefaultKeychain.set(large.keychain)
    return try Growth(
      calls: numbers.count,
      large: { try call(queries[$0]) },
      small: { try call(fewQueries[$0]) },
      undo: { isLarge, number in
        if call.deletes {
          try isLarge ? large.add([keys[number]]) : small.add([fewKeys[number]])
        }
        // The next call uses the other store.
        DefaultKeychain.set(isLarge ? small.keychain : large.keychain)
      })
  }

  private static func query(_ key: PrimaryKey, _ returns: CFString?) -> CFDictionary {
    var query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword,
      kSecAttrService: key.attributes.service ?? "",
      kSecAttrAccount: key.attributes.account ?? "",
    ]
    if let returns { query[returns] = true }
    return query as CFDictionary
  }
}
