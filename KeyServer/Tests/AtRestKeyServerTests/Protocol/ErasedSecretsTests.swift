import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

/// The remains of an evaluation in memory. swift-crypto keeps inputs of P384-SHA384 in ordinary memory.
@Suite(.serialized) struct ErasedSecretsTests {
  @Test func `No input, output or key of ristretto255 stays in memory`() throws {
    var searches: [MemorySearch] = []
    do {
      let key = EvaluationKey(.ristretto255)
      let input = SecretBytes.random(count: 48)
      let blinded = try BlindedInput(input, publicKey: key.publicKey)
      let output = try blinded.finalize(key.evaluate(blinded.element))
      searches = [MemorySearch(input), MemorySearch(output), MemorySearch(key.privateKey)]
      // The control: while they are used, they are found.
      for search in searches { #expect(try search.count() > 0) }
      withExtendedLifetime((key, blinded)) {}
      _ = (input.count, output.count)
    }
    for search in searches { #expect(try search.count() == 0) }
  }

  @Test func `A copy in ordinary memory is found`() throws {
    let secret = SecretBytes.random(count: 48)
    let search = MemorySearch(secret)
    var copy = Data(copying: secret)
    #expect(try search.count() == 2)
    copy.resetBytes(in: 0..<copy.count)
    #expect(try search.count() == 1)
    _ = secret.count
  }
}
