import AtRestCrypto
import CommonCrypto
import Crypto
import Foundation

// The calls of CommonSymmetricKeywrap.h, over swift-crypto.

private func isStandard(_ iv: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
  guard let iv else { return true }
  return count >= CCrfc3394_ivLen
    && UnsafeBufferPointer(start: iv, count: CCrfc3394_ivLen).elementsEqual(
      UnsafeBufferPointer(start: CCrfc3394_iv, count: CCrfc3394_ivLen))
}

private func key(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> SymmetricKey? {
  guard let bytes, [16, 24, 32].contains(count) else { return nil }
  return SymmetricKey(data: UnsafeRawBufferPointer(start: bytes, count: count))
}

@_cdecl("CCSymmetricKeyWrap") func wrap(
  _ algorithm: CCWrappingAlgorithm, _ iv: UnsafePointer<UInt8>?, _ ivCount: Int,
  _ wrapping: UnsafePointer<UInt8>?, _ wrappingCount: Int, _ raw: UnsafePointer<UInt8>?,
  _ rawCount: Int, _ wrapped: UnsafeMutablePointer<UInt8>?,
  _ wrappedCount: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let wrappedCount else { return Int32(kCCParamError) }
  let room = wrappedCount.pointee
  wrappedCount.pointee = 0
  guard isStandard(iv, ivCount) else {
    CommonCryptoLog.refuse(
      "CCSymmetricKeyWrap", "only the initial value of RFC 3394 is implemented")
    return Int32(iv != nil && ivCount < CCrfc3394_ivLen ? kCCParamError : kCCUnimplemented)
  }
  guard let key = key(wrapping, wrappingCount), let raw, let wrapped, rawCount >= 16,
    rawCount % 8 == 0, room >= rawCount + 8,
    let box = try? KeyWrap.wrap(
      SymmetricKey(data: UnsafeRawBufferPointer(start: raw, count: rawCount)), using: key)
  else { return Int32(kCCParamError) }
  box.copyBytes(to: wrapped, count: box.count)
  wrappedCount.pointee = box.count
  return Int32(kCCSuccess)
}

@_cdecl("CCSymmetricKeyUnwrap") func unwrap(
  _ algorithm: CCWrappingAlgorithm, _ iv: UnsafePointer<UInt8>?, _ ivCount: Int,
  _ wrapping: UnsafePointer<UInt8>?, _ wrappingCount: Int, _ wrapped: UnsafePointer<UInt8>?,
  _ wrappedCount: Int, _ raw: UnsafeMutablePointer<UInt8>?, _ rawCount: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let rawCount else { return Int32(kCCParamError) }
  let room = rawCount.pointee
  rawCount.pointee = 0
  // Apple's source tries the standard value after every other (CommonSymmetricKeywrap.c, line 120).
  guard iv == nil || ivCount >= CCrfc3394_ivLen, let key = key(wrapping, wrappingCount),
    let wrapped,
    let raw, room >= CCSymmetricUnwrappedSize(algorithm, wrappedCount)
  else { return Int32(kCCParamError) }
  let box = Data(bytes: wrapped, count: wrappedCount)
  guard let unwrapped = try? KeyWrap.unwrap(box, using: key) else {
    return Int32(kCCDecodeError)
  }
  unwrapped.withUnsafeBytes {
    UnsafeMutableRawBufferPointer(start: raw, count: $0.count).copyMemory(from: $0)
    rawCount.pointee = $0.count
  }
  return Int32(kCCSuccess)
}

@_cdecl("CCSymmetricWrappedSize") func wrappedSize(
  _ algorithm: CCWrappingAlgorithm, _ count: Int
) -> Int { count + 8 }

@_cdecl("CCSymmetricUnwrappedSize") func unwrappedSize(
  _ algorithm: CCWrappingAlgorithm, _ count: Int
) -> Int { max(0, count - 8) }
