import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Synchronization
import Testing

/// A store without a passcode is told of before the first item is stored in it.
@Suite(.serialized) struct MissingPasscodeTests {
  private static let mark = "atrest-missing-passcode"

  /// Runs a closure with a hook that counts the notices of this thread. Other tests run meanwhile.
  private func notices(
    _ told: @escaping @Sendable () -> Void, while body: () throws -> Void
  ) rethrows -> Int {
    let counter = Counter()
    Thread.current.threadDictionary[Self.mark] = true
    DefaultKeychain.onMissingPasscode = { risk in
      guard Thread.current.threadDictionary[Self.mark] != nil else { return }
      #expect(risk.id == "no-passcode")
      counter.add()
      told()
    }
    defer {
      DefaultKeychain.onMissingPasscode = nil
      Thread.current.threadDictionary.removeObject(forKey: Self.mark)
    }
    try body()
    return counter.value
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
  }

  @Test func itIsToldOnceAndBeforeTheItemIsStored() throws {
    let device = try SimulatedDevice()
    device.run(as: ApplicationIdentity("com.example.app")) {
      let count = notices({ #expect(exists(query()) == errSecItemNotFound) }) {
        // A search stores nothing, so nothing is told.
        #expect(exists(query()) == errSecItemNotFound)
        #expect(add(password()) == errSecSuccess)
        #expect(add(password("adam")) == errSecSuccess)
      }
      #expect(count == 1)
      #expect(exists(query()) == errSecSuccess)
    }
  }

  /// Control: a store with a passcode is not told of.
  @Test func aStoreWithOneIsNotToldOf() throws {
    let device = try SimulatedDevice(passcode: "1234")
    device.run(as: ApplicationIdentity("com.example.app")) {
      let count = notices({}) { #expect(add(password()) == errSecSuccess) }
      #expect(count == 0)
    }
  }

  @Test func keysAreToldOfToo() throws {
    let device = try SimulatedDevice()
    device.run(as: ApplicationIdentity("com.example.app")) {
      let count = notices({}) {
        let parameters: [CFString: Any] = [
          kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
          kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as [CFString: Any],
        ]
        #expect(SecKeyCreateRandomKey(parameters as CFDictionary, nil) != nil)
      }
      #expect(count == 1)
    }
  }
}
