import AtRestCrypto
import Foundation

/// The proof that a key made elements from others, without showing the key: RFC 9497, section 2.2.
///
/// `challenge` and `response` are scalars, and the proof is one after the other.
package struct Ristretto255Proof {
  private let context: Ristretto255Context
  /// The public key, which is the generator multiplied by the key.
  private let publicKey: Data
  /// Elements, and what they are multiplied by the key.
  private let pairs: [(element: Data, multiple: Data)]

  package init(
    _ context: Ristretto255Context = .verifiable, publicKey: Data,
    pairs: [(element: Data, multiple: Data)]
  ) {
    self.context = context
    self.publicKey = publicKey
    self.pairs = pairs
  }

  /// Makes the proof.
  ///
  /// - Parameter nonce: A random scalar that is used once.
  package func make(
    key: borrowing Ristretto255.Scalar, nonce: borrowing Ristretto255.Scalar
  ) throws -> Data {
    let composite = try composite(of: \.element)
    let challenge = try challenge(
      composite, Ristretto255.multiply(composite, by: key),
      Ristretto255.multiplyGenerator(by: nonce), Ristretto255.multiply(composite, by: nonce))
    let response = nonce.subtracting(challenge.multiplied(by: key))
    return Data(copying: challenge.bytes) + Data(copying: response.bytes)
  }

  /// Returns true if a proof holds.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is not two scalars, or an element is not valid.
  package func holds(_ proof: Data) throws -> Bool {
    guard proof.count == 2 * Ristretto255.count else { throw Ristretto255.notAnElement }
    let challenge = try Ristretto255.Scalar(
      decoding: SecretBytes(proof.prefix(Ristretto255.count)))
    let response = try Ristretto255.Scalar(
      decoding: SecretBytes(proof.suffix(Ristretto255.count)))
    // No honest proof has a zero, and libsodium multiplies by none.
    guard !challenge.isZero, !response.isZero else { return false }
    let composite = try composite(of: \.element)
    let multiple = try self.composite(of: \.multiple)
    let expected = try self.challenge(
      composite, multiple,
      Ristretto255.add(
        Ristretto255.multiplyGenerator(by: response),
        Ristretto255.multiply(publicKey, by: challenge)),
      Ristretto255.add(
        Ristretto255.multiply(composite, by: response),
        Ristretto255.multiply(multiple, by: challenge)))
    return expected.bytes.isEqual(to: challenge.bytes)
  }

  /// The sum of elements, each multiplied by a weight that depends on all pairs.
  private func composite(of part: KeyPath<(element: Data, multiple: Data), Data>) throws -> Data {
    var transcript = MessageWriter()
    transcript.counted(publicKey)
    transcript.counted(context.seedTag)
    let seed = Ristretto255Context.hash(transcript.bytes)
    var sum: Data?
    for (index, pair) in pairs.enumerated() {
      var transcript = MessageWriter()
      transcript.counted(seed)
      transcript.integer(UInt16(index))
      transcript.counted(pair.element)
      transcript.counted(pair.multiple)
      transcript.fixed(Data("Composite".utf8))
      let weighted = try Ristretto255.multiply(
        pair[keyPath: part], by: context.scalar(hashing: transcript.bytes))
      sum = try sum.map { try Ristretto255.add($0, weighted) } ?? weighted
    }
    guard let sum else { throw Ristretto255.notAnElement }
    return sum
  }

  private func challenge(_ elements: Data...) -> Ristretto255.Scalar {
    var transcript = MessageWriter()
    transcript.counted(publicKey)
    for element in elements { transcript.counted(element) }
    transcript.fixed(Data("Challenge".utf8))
    return context.scalar(hashing: transcript.bytes)
  }
}
