// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CommonCrypto
import Crypto
import Foundation

// Digests in one call, over swift-crypto. The contexts, and SHA-224, are in the C target CommonCrypto.

private func digest<Function: HashFunction>(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?,
  _: Function.Type
) -> UnsafeMutablePointer<UInt8>? {
  guard let output else { return nil }
  var function = Function()
  if let data {
    function.update(bufferPointer: UnsafeRawBufferPointer(start: data, count: Int(count)))
  }
  function.finalize().withUnsafeBytes {
    UnsafeMutableRawBufferPointer(start: output, count: $0.count).copyMemory(from: $0)
  }
  return output
}

@_cdecl("CC_MD5") func md5(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(data, count, output, Insecure.MD5.self) }

@_cdecl("CC_SHA1") func sha1(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(data, count, output, Insecure.SHA1.self) }

@_cdecl("CC_SHA256") func sha256(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(data, count, output, SHA256.self) }

@_cdecl("CC_SHA384") func sha384(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(data, count, output, SHA384.self) }

@_cdecl("CC_SHA512") func sha512(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(data, count, output, SHA512.self) }
