import CommonCrypto
import Foundation
import Testing

@Suite struct DigestTests {
  /// A digest in one call, and in several.
  struct Function: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let abc: String
    let whole: @Sendable (Data) -> Data
    let parts: @Sendable ([Data]) -> Data
  }

  /// Hashes parts with the three calls of a context.
  private static func digest<Context>(
    _ parts: [Data], _ context: Context, _ count: Int32,
    _ begin: (UnsafeMutablePointer<Context>?) -> Int32,
    _ update: (UnsafeMutablePointer<Context>?, UnsafeRawPointer?, CC_LONG) -> Int32,
    _ finish: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Context>?) -> Int32
  ) -> Data {
    var context = context
    #expect(begin(&context) == 1)
    for part in parts {
      // A context is a value: what happens to a copy changes nothing.
      var copy = context
      #expect(update(&copy, [1, 2, 3] as [UInt8], 3) == 1)
      part.withUnsafeBytes { #expect(update(&context, $0.baseAddress, CC_LONG($0.count)) == 1) }
    }
    var output = [UInt8](repeating: 0, count: Int(count))
    #expect(finish(&output, &context) == 1)
    return Data(output)
  }

  private static func digest(
    _ data: Data, _ count: Int32,
    _ function: (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?)
      -> UnsafeMutablePointer<UInt8>?
  ) -> Data {
    var output = [UInt8](repeating: 0, count: Int(count))
    data.withUnsafeBytes {
      #expect(function($0.baseAddress, CC_LONG($0.count), &output) != nil)
      #expect(function($0.baseAddress, CC_LONG($0.count), nil) == nil)
    }
    return Data(output)
  }

  // The digests of "abc": RFC 1321, A.5, and FIPS 180-4.
  static let functions = [
    Function(
      testDescription: "MD5", abc: "900150983cd24fb0d6963f7d28e17f72",
      whole: { old.md5($0) }, parts: { old.md5(parts: $0) }),
    Function(
      testDescription: "SHA-1", abc: "a9993e364706816aba3e25717850c26c9cd0d89d",
      whole: { digest($0, CC_SHA1_DIGEST_LENGTH, CC_SHA1) },
      parts: {
        digest(
          $0, CC_SHA1_CTX(), CC_SHA1_DIGEST_LENGTH, CC_SHA1_Init, CC_SHA1_Update, CC_SHA1_Final)
      }),
    Function(
      testDescription: "SHA-224",
      abc: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
      whole: { digest($0, CC_SHA224_DIGEST_LENGTH, CC_SHA224) },
      parts: {
        digest(
          $0, CC_SHA256_CTX(), CC_SHA224_DIGEST_LENGTH, CC_SHA224_Init, CC_SHA224_Update,
          CC_SHA224_Final)
      }),
    Function(
      testDescription: "SHA-256",
      abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      whole: { digest($0, CC_SHA256_DIGEST_LENGTH, CC_SHA256) },
      parts: {
        digest(
          $0, CC_SHA256_CTX(), CC_SHA256_DIGEST_LENGTH, CC_SHA256_Init, CC_SHA256_Update,
          CC_SHA256_Final)
      }),
    Function(
      testDescription: "SHA-384",
      abc: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7",
      whole: { digest($0, CC_SHA384_DIGEST_LENGTH, CC_SHA384) },
      parts: {
        digest(
          $0, CC_SHA512_CTX(), CC_SHA384_DIGEST_LENGTH, CC_SHA384_Init, CC_SHA384_Update,
          CC_SHA384_Final)
      }),
    Function(
      testDescription: "SHA-512",
      abc: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      whole: { digest($0, CC_SHA512_DIGEST_LENGTH, CC_SHA512) },
      parts: {
        digest(
          $0, CC_SHA512_CTX(), CC_SHA512_DIGEST_LENGTH, CC_SHA512_Init, CC_SHA512_Update,
          CC_SHA512_Final)
      }),
  ]

  @Test(arguments: functions) func theDigestMatchesTheStandard(_ function: Function) {
    #expect(function.whole(Data("abc".utf8)).hex == function.abc)
    #expect(function.parts([Data("a".utf8), Data(), Data("bc".utf8)]).hex == function.abc)
  }

  /// swift-crypto makes the digest of one call, and this package that of several.
  @Test(arguments: functions) func partsGiveWhatOneCallGives(_ function: Function) {
    for count in [0, 1, 54, 55, 56, 57, 63, 64, 65, 110, 111, 112, 113, 119, 127, 128, 129, 1_000] {
      let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      let whole = function.whole(data)
      for size in [1, 7, 64, 100, 128, 1_000] {
        let parts = stride(from: 0, to: count, by: size).map {
          Data(data[$0..<min(count, $0 + size)])
        }
        #expect(function.parts(parts) == whole, "\(count) bytes in parts of \(size)")
      }
    }
  }

  // MARK: MD5, which is deprecated

  private protocol Old: Sendable {
    func md5(_ data: Data) -> Data
    func md5(parts: [Data]) -> Data
  }
  private struct Deprecated: Old {
    @available(*, deprecated) func md5(_ data: Data) -> Data {
      digest(data, CC_MD5_DIGEST_LENGTH, CC_MD5)
    }
    @available(*, deprecated) func md5(parts: [Data]) -> Data {
      digest(parts, CC_MD5_CTX(), CC_MD5_DIGEST_LENGTH, CC_MD5_Init, CC_MD5_Update, CC_MD5_Final)
    }
  }
  private static let old: any Old = Deprecated()
}
