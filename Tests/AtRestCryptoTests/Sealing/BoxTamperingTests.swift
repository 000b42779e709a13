import AtRestCrypto
import Foundation
import Testing

/// A box opens only as it was sealed.
@Suite struct BoxTamperingTests {
  private let secret = Data("attack at dawn".utf8)
  private let context = Data("row 7".utf8)

  private func opens(
    _ key: borrowing SealingKey, _ box: Data, context: Data
  ) -> Bool {
    do {
      return try key.open(box, context: context, name: "box").revealed == secret
    } catch AtRestError.Code.damaged {
      return false
    } catch {
      Issue.record("Another error than .damaged: \(error)")
      return false
    }
  }

  // The control for every test below: only their changes keep the box from opening.
  @Test func opensAsItWasSealed() throws {
    let key = SealingKey.random()
    let box = try key.seal(secret, context: context)
    #expect(box.count == secret.count + SealingKey.overhead)
    #expect(opens(key, box, context: context) == true)
  }

  @Test(arguments: [0, 1, 16, 4_096, 100_000])
  func sealsMessagesOfEverySize(count: Int) throws {
    let key = SealingKey.random()
    let message = SecretBytes.random(count: count)
    let box = try key.seal(message, context: context)
    #expect(box.count == count + SealingKey.overhead)
    #expect(try key.open(box, context: context, name: "box").isEqual(to: message) == true)
  }

  @Test func sealsTwiceDifferently() throws {
    let key = SealingKey.random()
    let first = try key.seal(secret, context: context)
    let second = try key.seal(secret, context: context)
    #expect(first != second && first.prefix(12) != second.prefix(12))
  }

  @Test(arguments: ["", "row", "row 8", "row 7 "])
  func refusesAnotherContext(other: String) throws {
    let key = SealingKey.random()
    let box = try key.seal(secret, context: context)
    #expect(opens(key, box, context: Data(other.utf8)) == false)
  }

  @Test func refusesAnyChangedByte() throws {
    let key = SealingKey.random()
    let box = try key.seal(secret, context: context)
    for index in box.indices {
      var changed = box
      changed[index] ^= 0x01
      #expect(opens(key, changed, context: context) == false, "Byte \(index) may be changed.")
    }
  }

  @Test func refusesToBeCutOffAnywhere() throws {
    let key = SealingKey.random()
    let box = try key.seal(secret, context: context)
    for count in 0..<box.count {
      #expect(opens(key, box.prefix(count), context: context) == false, "First \(count) bytes")
      #expect(opens(key, box.suffix(count), context: context) == false, "Last \(count) bytes")
    }
  }

  @Test func refusesToBeExtended() throws {
    let key = SealingKey.random()
    let box = try key.seal(secret, context: context)
    #expect(opens(key, box + [0], context: context) == false)
    #expect(opens(key, [0] + box, context: context) == false)
    #expect(opens(key, box + box, context: context) == false)
  }

  @Test func refusesPartsOfAnotherBox() throws {
    let key = SealingKey.random()
    let box = try key.seal(secret, context: context)
    let other = try key.seal(Data("attack at dusk".utf8), context: context)
    #expect(opens(key, box.prefix(12) + other.dropFirst(12), context: context) == false)
    #expect(opens(key, box.dropLast(16) + other.suffix(16), context: context) == false)
  }

  @Test func refusesAnotherKey() throws {
    let box = try SealingKey.random().seal(secret, context: context)
    #expect(opens(SealingKey.random(), box, context: context) == false)
  }

  @Test(arguments: [0, 16, 31, 33, 64])
  func keysHave32Bytes(count: Int) {
    let error = #expect(throws: AtRestError.self) { _ = try SealingKey(.random(count: count)) }
    #expect(error?.code == .invalidArgument)
  }
}
