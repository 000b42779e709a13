import AtRestCrypto
import Foundation
import Testing

/// A wrapped key unwraps only as it was wrapped.
@Suite struct WrapTamperingTests {
  private let secret = Data(1...32)

  private func unwraps(_ key: borrowing WrappingKey, _ wrapped: Data) -> Bool {
    do {
      return try key.unwrap(wrapped, name: "key").revealed == secret
    } catch AtRestError.Code.damaged {
      return false
    } catch {
      Issue.record("Another error than .damaged: \(error)")
      return false
    }
  }

  // The control for every test below.
  @Test(arguments: [16, 24, 32, 64, 512])
  func unwrapsAsItWasWrapped(count: Int) throws {
    let key = try WrappingKey(.random(count: 32))
    let secret = SecretBytes.random(count: count)
    let wrapped = try key.wrap(secret)
    #expect(wrapped.count == count + WrappingKey.overhead)
    #expect(try key.unwrap(wrapped, name: "key").isEqual(to: secret) == true)
  }

  @Test func refusesAnyChangedByte() throws {
    let key = try WrappingKey(.random(count: 32))
    let wrapped = try key.wrap(SecretBytes(secret))
    #expect(unwraps(key, wrapped) == true)
    for index in wrapped.indices {
      var changed = wrapped
      changed[index] ^= 0x80
      #expect(unwraps(key, changed) == false, "Byte \(index) may be changed.")
    }
  }

  @Test func refusesToBeCutOffAnywhere() throws {
    let key = try WrappingKey(.random(count: 32))
    let wrapped = try key.wrap(SecretBytes(secret))
    for count in 0..<wrapped.count {
      #expect(unwraps(key, wrapped.prefix(count)) == false, "\(count) bytes are enough.")
    }
  }

  @Test func refusesToBeExtended() throws {
    let key = try WrappingKey(.random(count: 32))
    let wrapped = try key.wrap(SecretBytes(secret))
    #expect(unwraps(key, wrapped + [0]) == false)
    #expect(unwraps(key, wrapped + Data(count: 8)) == false)
    #expect(unwraps(key, wrapped + wrapped) == false)
  }

  @Test func refusesAnotherKey() throws {
    let wrapped = try WrappingKey(.random(count: 32)).wrap(SecretBytes(secret))
    let other = try WrappingKey(.random(count: 32))
    #expect(unwraps(other, wrapped) == false)
  }

  @Test(arguments: [0, 8, 15, 17, 31])
  func wrapsNoOtherSizes(count: Int) throws {
    let key = try WrappingKey(.random(count: 32))
    let error = #expect(throws: AtRestError.self) { _ = try key.wrap(.random(count: count)) }
    #expect(error?.code == .invalidArgument)
  }

  @Test(arguments: [0, 16, 31, 33])
  func keysHave32Bytes(count: Int) {
    let error = #expect(throws: AtRestError.self) { _ = try WrappingKey(.random(count: count)) }
    #expect(error?.code == .invalidArgument)
  }
}
