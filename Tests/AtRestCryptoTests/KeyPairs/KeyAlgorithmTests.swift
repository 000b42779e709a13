import AtRestCrypto
import Foundation
import Testing

/// Names, sizes and abilities of key algorithms.
@Suite struct KeyAlgorithmTests {
  // Stored items have these names.
  @Test func namesStayTheSame() {
    #expect(
      KeyAlgorithm.tested.map(\.name) == [
        "p256", "p384", "p521", "ed25519", "x25519", "rsa2048", "rsa3072", "rsa4096",
      ])
  }

  @Test(arguments: KeyAlgorithm.tested)
  func nameAndCodingGoBack(algorithm: KeyAlgorithm) throws {
    #expect(KeyAlgorithm(name: algorithm.name) == algorithm)
    let json = try JSONEncoder().encode([algorithm])
    #expect(json == Data("[\"\(algorithm.name)\"]".utf8))
    #expect(try JSONDecoder().decode([KeyAlgorithm].self, from: json) == [algorithm])
  }

  @Test(arguments: ["", "P256", "p-256", "rsa", "rsa1024", "rsa02048", "rsa+2048", "rsa8192"])
  func refusesOtherNames(name: String) {
    #expect(KeyAlgorithm(name: name) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([KeyAlgorithm].self, from: Data("[\"\(name)\"]".utf8))
    }
  }

  @Test(arguments: [2_048, 2_049, 3_000, 4_096])
  func takesRSAOfSizesBetween(bits: Int) throws {
    let algorithm = try KeyAlgorithm.rsa(bits: bits)
    #expect(algorithm.keySizeInBits == bits && KeyAlgorithm(name: "rsa\(bits)") == algorithm)
  }

  @Test(arguments: [0, 1_024, 2_047, 4_097, Int.max])
  func refusesRSAOfOtherSizes(bits: Int) {
    let error = #expect(throws: AtRestError.self) { try KeyAlgorithm.rsa(bits: bits) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func abilities() {
    func names(_ ability: KeyPath<KeyAlgorithm, Bool>) -> [String] {
      KeyAlgorithm.tested.filter { $0[keyPath: ability] }.map(\.name)
    }
    #expect(
      names(\.canSign) == ["p256", "p384", "p521", "ed25519", "rsa2048", "rsa3072", "rsa4096"])
    #expect(names(\.canAgree) == ["p256", "p384", "p521", "x25519"])
    #expect(names(\.canDecrypt) == ["rsa2048", "rsa3072", "rsa4096"])
    #expect(
      KeyAlgorithm.tested.map(\.keySizeInBits) == [256, 384, 521, 256, 256, 2048, 3072, 4096])
  }
}
