import CommonCrypto
import Foundation
import Testing

@Suite struct KeyDerivationTests {
  private func derive(
    _ password: String, _ salt: String, _ function: Int, rounds: UInt32, count: Int,
    algorithm: Int = kCCPBKDF2
  ) -> (status: Int32, key: Data) {
    var key = [UInt8](repeating: 0, count: count)
    let salt = Array(salt.utf8)
    let status = CCKeyDerivationPBKDF(
      CCPBKDFAlgorithm(algorithm), password, password.utf8.count, salt, salt.count,
      CCPseudoRandomAlgorithm(function), rounds, &key, count)
    return (status, Data(key))
  }

  /// RFC 6070 for SHA-1, RFC 7914, 11, for SHA-256.
  @Test(
    arguments: [
      (kCCPRFHmacAlgSHA1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
      (kCCPRFHmacAlgSHA1, "password", "salt", 4_096, "4b007901b765489abead49d926f721d065a429c1"),
      (
        kCCPRFHmacAlgSHA1, "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt",
        4_096,
        "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
      ),
      (
        kCCPRFHmacAlgSHA256, "passwd", "salt", 1,
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
          + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
      ),
    ] as [(Int, String, String, UInt32, String)])
  func theKeyMatchesTheStandard(
    function: Int, password: String, salt: String, rounds: UInt32, key: String
  ) {
    let derived = derive(password, salt, function, rounds: rounds, count: key.count / 2)
    #expect(derived.status == kCCSuccess && derived.key.hex == key)
  }

  /// Made by Python's hashlib.pbkdf2_hmac("password", "salt", 2 rounds, 16 bytes).
  @Test(
    arguments: [
      (kCCPRFHmacAlgSHA224, "93200ffa96c5776d38fa10abdf8f5bfc"),
      (kCCPRFHmacAlgSHA384, "54f775c6d790f21930459162fc535dbf"),
      (kCCPRFHmacAlgSHA512, "e1d9c16aa681708a45f5c7c4e215ceb6"),
    ])
  func everyFunctionDerivesItsKey(function: Int, key: String) {
    #expect(derive("password", "salt", function, rounds: 2, count: 16).key.hex == key)
  }

  /// CommonKeyDerivation.c, lines 42 to 55.
  @Test func argumentsAreChecked() {
    let sha256 = kCCPRFHmacAlgSHA256
    let bad = Int32(kCCParamError)
    #expect(derive("p", "s", sha256, rounds: 1, count: 16, algorithm: 1).status == bad)
    #expect(derive("p", "s", 0, rounds: 1, count: 16).status == bad)
    #expect(derive("p", "s", 6, rounds: 1, count: 16).status == bad)
    #expect(derive("p", "s", sha256, rounds: 0, count: 16).status == bad)
    #expect(derive("p", "s", sha256, rounds: 1, count: 0).status == bad)
    #expect(derive("", "", sha256, rounds: 1, count: 16).status == kCCSuccess)
    var key = [UInt8](repeating: 0, count: 16)
    func withoutSalt(_ count: Int) -> Int32 {
      CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), "p", 1, nil, count, CCPseudoRandomAlgorithm(sha256), 1, &key,
        key.count)
    }
    #expect(withoutSalt(0) == kCCSuccess)
    #expect(Data(key) == derive("p", "", sha256, rounds: 1, count: 16).key)
    #expect(withoutSalt(1) == bad)
  }

  @Test func calibrationReturnsAtLeastTenThousandRounds() {
    func rounds(_ milliseconds: UInt32, count: Int = 32, function: Int = kCCPRFHmacAlgSHA256)
      -> UInt32
    {
      CCCalibratePBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), 8, 8, CCPseudoRandomAlgorithm(function), count, milliseconds)
    }
    #expect(rounds(0) == 10_000)
    #expect(rounds(100_000) > 10_000)
    #expect(rounds(100, count: 0) == .max)
    #expect(rounds(100, function: 9) == .max)
  }
}
