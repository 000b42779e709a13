import Foundation
import Security
import Testing

@Suite struct KeyInteroperationTests {
  @Test(arguments: Fixture.outputs("sign"))
  func signaturesOfOthersVerify(output: Fixture.Output) throws {
    let key = try Fixture.publicKey(output.keyName)
    func verify(_ message: Data, _ signature: Data) -> (Bool, Int?) {
      let (valid, code) = status { error in
        SecKeyVerifySignature(
          key, output.algorithm, message as CFData, signature as CFData, error)
      }
      return (valid!, code)
    }
    #expect(verify(Fixture.message, output.bytes) == (true, nil))
    #expect(verify(Fixture.message.flipped(at: 0), output.bytes) == (false, -67808))
    #expect(verify(Fixture.message, output.bytes.flipped(at: -1)) == (false, -67808))
    #expect(verify(Fixture.message, output.bytes.dropLast()) == (false, -67808))
    #expect(verify(Fixture.message, Data()) == (false, -67808))
  }

  @Test(arguments: Fixture.outputs("encrypt"))
  func ciphertextsOfOthersDecrypt(output: Fixture.Output) throws {
    let key = try Fixture.key(output.keyName)
    // On NIST curves, the cofactor form gives the same result.
    let name = (output.algorithm.rawValue as String).replacing(":ECDH:", with: ":ECDHC:")
    for algorithm in [output.algorithm, SecKeyAlgorithm(rawValue: name as CFString)] {
      let (plaintext, code) = status {
        SecKeyCreateDecryptedData(key, algorithm, output.bytes as CFData, $0)
      }
      #expect(plaintext as Data? == Fixture.message)
      #expect(code == nil)
    }
  }

  @Test(arguments: Fixture.outputs("keyexchange"))
  func secretsAreThoseThatOthersAgreeOn(output: Fixture.Output) throws {
    let key = try Fixture.key(output.keyName)
    let other = try Fixture.publicKey(output.keyName + "-other")
    let parameters: [SecKeyKeyExchangeParameter: Any] = [
      .requestedSize: 50, .sharedInfo: Data("shared".utf8),
    ]
    let secret = SecKeyCopyKeyExchangeResult(
      key, output.algorithm, other, parameters as CFDictionary, nil)
    #expect(secret as Data? == output.bytes)
  }

  /// On Apple's platforms, the keys of the dictionary are strings.
  @Test func parametersMayBeNamedByTheirStrings() throws {
    let parameters: [String: Any] = [
      SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 16,
      SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: Data("shared".utf8),
    ]
    let output = Fixture.outputs("keyexchange").first {
      $0.algorithm == .ecdhKeyExchangeStandardX963SHA256 && $0.keyName == "p256"
    }
    let secret = SecKeyCopyKeyExchangeResult(
      try Fixture.key("p256"), .ecdhKeyExchangeCofactorX963SHA256,
      try Fixture.publicKey("p256-other"), parameters as CFDictionary, nil)
    #expect(secret as Data? == output?.bytes.prefix(16))
  }
}
