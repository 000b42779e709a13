@_spi(Tools) import AtRestSecrets
import Crypto
import Foundation

extension CanaryVariant.Form {
  /// Digests without a salt. Storing a password or a number this way is as good as storing it in
  /// plaintext.
  func digests() -> [CanaryVariant] {
    let data = Data(utf8)
    let digests: [(String, [UInt8])] = [
      ("md5", Array(Insecure.MD5.hash(data: data))),
      ("sha-1", Array(Insecure.SHA1.hash(data: data))),
      ("sha-256", Array(SHA256.hash(data: data))),
      ("sha-512", Array(SHA512.hash(data: data))),
    ]
    return digests.flatMap { name, digest -> [CanaryVariant] in
      var hex = variant(ByteRun.hex.digits(of: digest), ["hex", name])
      hex.comparison = .anyCase
      hex.gaps = .pairs
      let base64 = ByteRun.base64.digits(of: digest)
      let forAddresses = base64.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
      return [variant(digest, [name]), hex]
        + [base64, forAddresses].map {
          var variant = variant($0, ["base64", name])
          variant.gaps = .lineBreaks
          return variant
        }
    }
  }
}
