import CommonCrypto
import Foundation
import Testing

/// Encryption in several calls.
@Suite struct CryptorTests {
  private func make(
    _ operation: Int, _ mode: Int, padding: Int = ccNoPadding, iv: Data = Blocks.iv,
    algorithm: Int = kCCAlgorithmAES
  ) -> (CCCryptorRef?, Int) {
    var cryptor: CCCryptorRef?
    let status = iv.withUnsafeBytes { iv in
      Blocks.keys[2].withUnsafeBytes { key in
        CCCryptorCreateWithMode(
          CCOperation(operation), CCMode(mode), CCAlgorithm(algorithm), CCPadding(padding),
          iv.baseAddress, key.baseAddress, key.count, nil, 0, 0, CCModeOptions(kCCModeOptionCTR_BE),
          &cryptor)
      }
    }
    return (cryptor, Int(status))
  }

  /// Processes data in parts of the given sizes, and checks the promised sizes.
  private func process(_ cryptor: CCCryptorRef, _ data: Data, parts: [Int]) -> Data {
    var rest = data
    var output = Data()
    var index = 0
    while !rest.isEmpty {
      let part = Data(rest.prefix(max(1, parts[index % parts.count])))
      rest = rest.dropFirst(part.count)
      index += 1
      let promised = CCCryptorGetOutputLength(cryptor, part.count, false)
      var buffer = [UInt8](repeating: 0, count: promised)
      var moved = 0
      let status = part.withUnsafeBytes {
        CCCryptorUpdate(cryptor, $0.baseAddress, part.count, &buffer, buffer.count, &moved)
      }
      #expect(status == kCCSuccess && moved == promised)
      output += buffer.prefix(moved)
    }
    var buffer = [UInt8](repeating: 0, count: 16)
    var moved = 0
    #expect(CCCryptorFinal(cryptor, &buffer, 16, &moved) == kCCSuccess)
    return output + buffer.prefix(moved)
  }

  @Test(arguments: [[1], [3, 16, 5], [16], [17, 1], [64]])
  func partsGiveWhatOneCallGives(parts: [Int]) throws {
    let data = Data((0..<150).map { UInt8($0) })
    let options = kCCOptionPKCS7Padding
    let whole = crypt(kCCEncrypt, data, key: Blocks.keys[2], iv: Blocks.iv, options: options).data
    let (encryptor, _) = make(kCCEncrypt, kCCModeCBC, padding: ccPKCS7Padding)
    #expect(process(try #require(encryptor), data, parts: parts) == whole)
    let (decryptor, _) = make(kCCDecrypt, kCCModeCBC, padding: ccPKCS7Padding)
    #expect(process(try #require(decryptor), whole, parts: parts) == data)
    CCCryptorRelease(encryptor)
    CCCryptorRelease(decryptor)
  }

  /// NIST SP 800-38A, F.5.5.
  @Test(arguments: [[64], [1], [5, 20]]) func countersMatchTheVectors(parts: [Int]) throws {
    let expected = Data(
      hex: """
        601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5
        2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6
        """)
    for operation in [kCCEncrypt, kCCDecrypt] {
      let (cryptor, _) = make(operation, kCCModeCTR, iv: Blocks.counter)
      defer { CCCryptorRelease(cryptor) }
      let input = operation == kCCEncrypt ? Blocks.plaintext : expected
      let output = operation == kCCEncrypt ? expected : Blocks.plaintext
      #expect(process(try #require(cryptor), input, parts: parts) == output)
      // Three bytes need no block.
      CCCryptorReset(cryptor, [UInt8](Blocks.counter))
      #expect(process(try #require(cryptor), input.prefix(3), parts: [3]) == output.prefix(3))
    }
  }

  @Test func aCounterCarries() throws {
    let (one, _) = make(kCCEncrypt, kCCModeCTR, iv: Data(repeating: 0xff, count: 16))
    let (two, _) = make(kCCEncrypt, kCCModeCTR, iv: Data(count: 16))
    let long = process(try #require(one), Data(count: 48), parts: [48])
    #expect(long.dropFirst(16) == process(try #require(two), Data(count: 32), parts: [7]))
    CCCryptorRelease(one)
    CCCryptorRelease(two)
  }

  @Test func aResetBeginsAnew() throws {
    let (cryptor, _) = make(kCCEncrypt, kCCModeCBC)
    defer { CCCryptorRelease(cryptor) }
    let first = process(try #require(cryptor), Blocks.plaintext, parts: [64])
    #expect(CCCryptorReset(cryptor, [UInt8](Blocks.iv)) == kCCSuccess)
    #expect(process(try #require(cryptor), Blocks.plaintext, parts: [5]) == first)
    let (single, _) = make(kCCEncrypt, kCCModeECB)
    defer { CCCryptorRelease(single) }
    #expect(CCCryptorReset(single, nil) == kCCUnimplemented)
  }

  @Test func aSmallBufferLosesNothing() throws {
    let (cryptor, _) = make(kCCEncrypt, kCCModeCBC, padding: ccPKCS7Padding)
    defer { CCCryptorRelease(cryptor) }
    var buffer = [UInt8](repeating: 0, count: 32)
    var moved = 0
    let data = [UInt8](Blocks.plaintext.prefix(20))
    #expect(CCCryptorUpdate(cryptor, data, 20, &buffer, 15, &moved) == kCCBufferTooSmall)
    #expect(moved == 16)
    #expect(CCCryptorUpdate(cryptor, data, 20, &buffer, 16, &moved) == kCCSuccess)
    let start = Data(buffer.prefix(moved))
    #expect(CCCryptorFinal(cryptor, &buffer, 15, &moved) == kCCBufferTooSmall)
    #expect(CCCryptorFinal(cryptor, &buffer, 16, &moved) == kCCSuccess)
    let whole = crypt(
      kCCEncrypt, Data(data), key: Blocks.keys[2], iv: Blocks.iv, options: kCCOptionPKCS7Padding)
    #expect(start + buffer.prefix(moved) == whole.data)
  }

  @Test(arguments: [kCCModeCFB, kCCModeOFB, kCCModeCFB8, kCCModeRC4])
  func otherModesAreRefused(mode: Int) {
    let (cryptor, status) = make(kCCEncrypt, mode)
    #expect(cryptor == nil && status == kCCUnimplemented)
    #expect(make(kCCEncrypt, 99).1 == kCCParamError)
  }
}
