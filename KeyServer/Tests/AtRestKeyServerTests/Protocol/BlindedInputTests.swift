import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

@Suite struct BlindedInputTests {
  private var input: SecretBytes { SecretBytes(utf8: "correct horse") }

  @Test(arguments: EvaluationSuite.allCases)
  func `An evaluation under another key is refused`(suite: EvaluationSuite) throws {
    let pinned = EvaluationKey(suite)
    let blinded = try BlindedInput(input, publicKey: pinned.publicKey)
    expectError(.otherServerKey) {
      _ = try blinded.finalize(EvaluationKey(suite).evaluate(blinded.element))
    }
    // The control: the pinned key is accepted.
    let output = try blinded.finalize(pinned.evaluate(blinded.element))
    #expect(output.count == (suite == .p384 ? 48 : 64))
  }

  @Test(arguments: EvaluationSuite.allCases)
  func `An evaluation of another element is refused`(suite: EvaluationSuite) throws {
    let key = EvaluationKey(suite)
    let blinded = try BlindedInput(input, publicKey: key.publicKey)
    let other = try BlindedInput(input, publicKey: key.publicKey)
    expectError(.otherServerKey) {
      _ = try blinded.finalize(key.evaluate(other.element))
    }
  }

  @Test(arguments: EvaluationSuite.allCases)
  func `An evaluation with a changed bit is refused`(suite: EvaluationSuite) throws {
    let key = EvaluationKey(suite)
    let blinded = try BlindedInput(input, publicKey: key.publicKey)
    let evaluation = try key.evaluate(blinded.element)
    for index in stride(from: 0, to: evaluation.count, by: 7) {
      var changed = evaluation
      changed[index] ^= 0x10
      #expect(throws: AtRestError.self) { _ = try blinded.finalize(changed) }
    }
  }

  @Test(arguments: EvaluationSuite.allCases)
  func `The element differs each time and the output does not`(suite: EvaluationSuite) throws {
    let key = EvaluationKey(suite)
    let first = try BlindedInput(input, publicKey: key.publicKey)
    let second = try BlindedInput(input, publicKey: key.publicKey)
    #expect(first.element != second.element)
    let one = try first.finalize(key.evaluate(first.element))
    let two = try second.finalize(key.evaluate(second.element))
    let isEqual = one.isEqual(to: two)
    #expect(isEqual)
  }

  @Test(arguments: EvaluationSuite.allCases)
  func `Bytes that are no element are refused`(suite: EvaluationSuite) throws {
    let key = EvaluationKey(suite)
    let count = suite.elementCount
    for bytes in [
      Data(), Data(count: count), Data(repeating: 0xFF, count: count),
      Data([2]) + Data(repeating: 0xFF, count: count - 1), Data(count: count + 1),
    ] {
      expectError(.damaged) { _ = try key.evaluate(GroupElement(suite, bytes)) }
      expectError(.damaged) { _ = try BlindedInput(input, publicKey: GroupElement(suite, bytes)) }
    }
    let blinded = try BlindedInput(input, publicKey: key.publicKey)
    let size = suite.evaluationCount
    for bytes in [
      Data(), Data(count: size), Data(repeating: 0xFF, count: size),
      try key.evaluate(blinded.element).dropLast(), try key.evaluate(blinded.element) + [0],
    ] { expectError(.damaged) { _ = try blinded.finalize(bytes) } }
  }

  @Test(arguments: EvaluationSuite.allCases)
  func `A private key that is zero or too large is refused`(suite: EvaluationSuite) throws {
    for bytes in [
      Data(count: suite.privateKeyCount), Data(repeating: 0xFF, count: suite.privateKeyCount),
      Data(),
    ] {
      expectError(.damaged) { _ = try EvaluationKey(suite, privateKey: SecretBytes(bytes)) }
    }
  }

  @Test func `A key of one suite evaluates no element of the other`() throws {
    let key = EvaluationKey(.ristretto255)
    expectError(.damaged) { _ = try key.evaluate(EvaluationKey(.p384).publicKey) }
  }
}
