import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

@Suite struct BlindedInputTests {
  private var input: SecretBytes { SecretBytes(utf8: "correct horse") }

  @Test func `An evaluation under another key is refused`() throws {
    let pinned = EvaluationKey()
    let blinded = try BlindedInput(input, publicKey: pinned.publicKey)
    expectError(.otherServerKey) {
      _ = try blinded.finalize(EvaluationKey().evaluate(blinded.element))
    }
    // The control: the pinned key is accepted.
    #expect(try blinded.finalize(pinned.evaluate(blinded.element)).count == 48)
  }

  @Test func `An evaluation of another element is refused`() throws {
    let key = EvaluationKey()
    let blinded = try BlindedInput(input, publicKey: key.publicKey)
    let other = try BlindedInput(input, publicKey: key.publicKey)
    expectError(.otherServerKey) {
      _ = try blinded.finalize(key.evaluate(other.element))
    }
  }

  @Test func `The element differs each time and the output does not`() throws {
    let key = EvaluationKey()
    let first = try BlindedInput(input, publicKey: key.publicKey)
    let second = try BlindedInput(input, publicKey: key.publicKey)
    #expect(first.element != second.element)
    let one = try first.finalize(key.evaluate(first.element))
    let two = try second.finalize(key.evaluate(second.element))
    let isEqual = one.isEqual(to: two)
    #expect(isEqual)
  }

  @Test func `Bytes that are no point are refused`() throws {
    let key = EvaluationKey()
    for bytes in [
      Data(), Data(count: 49), Data(repeating: 0xFF, count: 49),
      Data([2]) + Data(repeating: 0xFF, count: 48),
    ] {
      expectError(.damaged) { _ = try key.evaluate(bytes) }
    }
    let blinded = try BlindedInput(input, publicKey: key.publicKey)
    for bytes in [Data(), Data(count: 145), Data(repeating: 0xFF, count: 145)] {
      expectError(.damaged) { _ = try blinded.finalize(bytes) }
    }
  }

  @Test func `A private key that is no scalar is refused`() throws {
    expectError(.damaged) {
      _ = try EvaluationKey(privateKey: SecretBytes(Data(count: 48)))
    }
  }
}
