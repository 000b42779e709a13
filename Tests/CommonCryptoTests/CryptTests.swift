import CommonCrypto
import Foundation
import Testing

@Suite struct CryptTests {
  /// NIST SP 800-38A, F.2 and F.1.
  @Test(
    arguments: zip(
      Blocks.keys,
      [
        """
        7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2
        73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7
        """,
        """
        4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a
        571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd
        """,
        """
        f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d
        39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b
        """,
      ].map(Data.init(hex:))))
  func chainedBlocksMatchTheVectors(key: Data, ciphertext: Data) {
    #expect(crypt(kCCEncrypt, Blocks.plaintext, key: key, iv: Blocks.iv).data == ciphertext)
    #expect(crypt(kCCDecrypt, ciphertext, key: key, iv: Blocks.iv).data == Blocks.plaintext)
  }

  @Test(
    arguments: zip(
      Blocks.keys,
      [
        """
        3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf
        43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4
        """,
        """
        bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef
        ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e
        """,
        """
        f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870
        b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7
        """,
      ].map(Data.init(hex:))))
  func singleBlocksMatchTheVectors(key: Data, ciphertext: Data) {
    let mode = kCCOptionECBMode
    #expect(crypt(kCCEncrypt, Blocks.plaintext, key: key, options: mode).data == ciphertext)
    #expect(crypt(kCCDecrypt, ciphertext, key: key, options: mode).data == Blocks.plaintext)
  }

  @Test(arguments: [0, kCCOptionECBMode]) func paddingIsAddedAndRemoved(mode: Int) {
    let options = mode | kCCOptionPKCS7Padding
    for count in 0...49 {
      let data = Data((0..<count).map { UInt8($0) })
      let sealed = crypt(kCCEncrypt, data, key: Blocks.keys[2], iv: Blocks.iv, options: options)
      #expect(sealed.status == kCCSuccess && sealed.moved == (count / 16 + 1) * 16)
      let opened = crypt(
        kCCDecrypt, sealed.data, key: Blocks.keys[2], iv: Blocks.iv, options: options)
      #expect(opened.status == kCCSuccess && opened.data == data)
      #expect(
        crypt(
          kCCDecrypt, sealed.data, key: Blocks.keys[2], iv: Blocks.iv, options: options,
          room: sealed.data.count
        ).data == data)
    }
  }

  @Test func aMissingVectorIsZeros() {
    let data = Blocks.plaintext
    #expect(
      crypt(kCCEncrypt, data, key: Blocks.keys[0]).data
        == crypt(kCCEncrypt, data, key: Blocks.keys[0], iv: Data(count: 16)).data)
  }

  /// CommonCryptor.c, lines 885 to 890, and the table of docs/CryptoKit.md.
  @Test func aBufferThatIsTooSmallNamesItsSize() {
    let options = kCCOptionPKCS7Padding
    let sealed = crypt(
      kCCEncrypt, Data(count: 16), key: Blocks.keys[0], options: options, room: 31)
    #expect(sealed.status == kCCBufferTooSmall && sealed.moved == 32)
  }

  @Test func lengthsKeysAndArgumentsAreChecked() {
    let key = Blocks.keys[0]
    #expect(crypt(kCCEncrypt, Data(count: 17), key: key).status == kCCAlignmentError)
    #expect(crypt(kCCDecrypt, Data(count: 17), key: key).status == kCCAlignmentError)
    #expect(
      crypt(kCCDecrypt, Data(count: 17), key: key, options: kCCOptionPKCS7Padding).status
        == kCCAlignmentError)
    #expect(crypt(kCCEncrypt, Data(count: 16), key: Data(count: 17)).status == kCCKeySizeError)
    #expect(
      CCCrypt(
        CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), 0, nil, 16, nil, nil, 0, nil, 0, nil)
        == kCCParamError)
    #expect(crypt(2, Data(count: 16), key: key).status == kCCParamError)
    #expect(crypt(kCCEncrypt, Data(count: 16), key: key, algorithm: 7).status == kCCParamError)
  }

  @Test(
    arguments: [
      (kCCAlgorithmDES, kCCKeySizeDES), (kCCAlgorithm3DES, kCCKeySize3DES),
      (kCCAlgorithmCAST, kCCKeySizeMaxCAST), (kCCAlgorithmRC4, 16), (kCCAlgorithmRC2, 5),
      (kCCAlgorithmBlowfish, 16),
    ])
  func oldCiphersAreRefused(algorithm: Int, keySize: Int) {
    let answer = crypt(
      kCCDecrypt, Data(count: 16), key: Data(count: keySize), algorithm: algorithm)
    #expect(answer.status == kCCUnimplemented && answer.data.isEmpty)
  }

  /// corecrypto reads the last byte of the padding only, and removes nothing if it is invalid.
  @Test func aWrongKeyIsNotToldByTheStatus() throws {
    let key = Blocks.keys[0]
    // Blocks that decrypt to bytes with an invalid last byte, and to a last byte of 3.
    for (last, count) in [(UInt8(0), 16), (17, 16), (255, 16), (3, 13), (16, 0)] {
      let block = Data(repeating: 0xAA, count: 15) + [last]
      let sealed = crypt(kCCEncrypt, block, key: key).data
      let opened = crypt(kCCDecrypt, sealed, key: key, options: kCCOptionPKCS7Padding)
      #expect(opened.status == kCCSuccess && opened.data == block.prefix(count))
    }
  }

  @Test func dataIsEncryptedInPlace() {
    var bytes = Blocks.plaintext
    let count = bytes.count
    var moved = 0
    let key = Blocks.keys[0]
    let status = bytes.withUnsafeMutableBytes { bytes in
      key.withUnsafeBytes { key in
        CCCrypt(
          CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES128), 0, key.baseAddress, key.count,
          nil, bytes.baseAddress, count, bytes.baseAddress, count, &moved)
      }
    }
    #expect(status == kCCSuccess && moved == count)
    #expect(bytes == crypt(kCCEncrypt, Blocks.plaintext, key: key).data)
  }
}
