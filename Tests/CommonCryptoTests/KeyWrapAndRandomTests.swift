import CommonCrypto
import Foundation
import Testing

@Suite struct KeyWrapAndRandomTests {
  private let kek = [UInt8](Data(hex: "000102030405060708090a0b0c0d0e0f"))
  private let raw = [UInt8](Data(hex: "00112233445566778899aabbccddeeff"))
  /// RFC 3394, 4.1.
  private let wrapped = [UInt8](Data(hex: "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"))
  private let algorithm = CCWrappingAlgorithm(kCCWRAPAES)

  @Test func keysAreWrappedAsInTheStandard() {
    var output = [UInt8](repeating: 0, count: CCSymmetricWrappedSize(algorithm, raw.count))
    var count = output.count
    #expect(
      CCSymmetricKeyWrap(
        algorithm, CCrfc3394_iv, CCrfc3394_ivLen, kek, kek.count, raw, raw.count, &output, &count)
        == kCCSuccess)
    #expect(output == wrapped && count == 24)
    var opened = [UInt8](repeating: 0, count: CCSymmetricUnwrappedSize(algorithm, count))
    count = opened.count
    #expect(
      CCSymmetricKeyUnwrap(
        algorithm, CCrfc3394_iv, CCrfc3394_ivLen, kek, kek.count, wrapped, wrapped.count, &opened,
        &count) == kCCSuccess)
    #expect(opened == raw && count == 16)
  }

  @Test func aModifiedKeyDoesNotUnwrap() {
    var changed = wrapped
    changed[5] ^= 1
    var opened = [UInt8](repeating: 0, count: 16)
    var count = 16
    #expect(
      CCSymmetricKeyUnwrap(
        algorithm, nil, 0, kek, kek.count, changed, changed.count, &opened, &count)
        == kCCDecodeError)
    #expect(count == 0 && opened == [UInt8](repeating: 0, count: 16))
  }

  @Test func argumentsAreChecked() {
    var output = [UInt8](repeating: 0, count: 24)
    for (kekCount, rawCount, room) in [(15, 16, 24), (16, 15, 24), (16, 16, 23)] {
      var count = room
      #expect(
        CCSymmetricKeyWrap(algorithm, nil, 0, kek, kekCount, raw, rawCount, &output, &count)
          == kCCParamError)
    }
    var count = 24
    #expect(
      CCSymmetricKeyWrap(
        algorithm, [UInt8](repeating: 1, count: 8), 8, kek, 16, raw, 16, &output, &count)
        == kCCUnimplemented)
  }

  @Test func randomBytesFillTheMemory() {
    var one = [UInt8](repeating: 0, count: 1_000)
    var other = one
    #expect(CCRandomGenerateBytes(&one, 1_000) == kCCSuccess)
    #expect(CCRandomGenerateBytes(&other, 999) == kCCSuccess)
    #expect(one != other && other[999] == 0 && Set(one).count > 200)
    #expect(CCRandomGenerateBytes(nil, 0) == kCCSuccess)
    #expect(CCRandomGenerateBytes(nil, 1) == kCCParamError)
  }
}
