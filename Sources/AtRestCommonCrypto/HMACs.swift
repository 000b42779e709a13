import AtRestCrypto
import CommonCrypto
import Crypto
import Foundation

// HMAC in one call, over swift-crypto. The contexts, and HMAC with SHA-224, are in the C target
// CommonCrypto.

private func code<Function: HashFunction>(
  _ key: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer, _ output: UnsafeMutableRawPointer,
  _: Function.Type
) {
  // swift-crypto pads the key to a block in arrays, which have a header of 32 bytes.
  Remains.erased(after: [.mac, .deep], freed: 32 + Function.blockByteCount) {
    var function = HMAC<Function>(key: SymmetricKey(data: key))
    function.update(data: data)
    function.finalize().withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: output, count: $0.count).copyMemory(from: $0)
    }
  }
}

@_cdecl("CCHmac") func hmac(
  _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer?, _ keyCount: Int,
  _ data: UnsafeRawPointer?, _ dataCount: Int, _ output: UnsafeMutableRawPointer?
) {
  guard let output else { return }
  let keyBytes = UnsafeRawBufferPointer(start: key, count: key == nil ? 0 : keyCount)
  let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : dataCount)
  switch Int(algorithm) {
  case kCCHmacAlgSHA1: code(keyBytes, bytes, output, Insecure.SHA1.self)
  case kCCHmacAlgMD5: code(keyBytes, bytes, output, Insecure.MD5.self)
  case kCCHmacAlgSHA256: code(keyBytes, bytes, output, SHA256.self)
  case kCCHmacAlgSHA384: code(keyBytes, bytes, output, SHA384.self)
  case kCCHmacAlgSHA512: code(keyBytes, bytes, output, SHA512.self)
  case kCCHmacAlgSHA224:
    var context = CCHmacContext()
    CCHmacInit(&context, algorithm, keyBytes.baseAddress, keyBytes.count)
    CCHmacUpdate(&context, bytes.baseAddress, bytes.count)
    CCHmacFinal(&context, output)
  default:
    CommonCryptoLog.refuse("CCHmac", "there is no hash function \(algorithm)")
  }
}
