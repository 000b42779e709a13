import AtRestCrypto
import AtRestKeychain
import Foundation
extension SecKey {
  var itemAttributes: Attributes {
    [
      .keyClass: isPrivate ? 1 : 0, .applicationLabel: .data(publicKey.applicationLabel),
      .type: .number(publicKey.algorithm.attributeType),
      .keySizeInBits: .number(Int64(publicKey.algorithm.keySizeInBits)),
    ]
  }
  func withItemValue<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R { fatalError() }
  static func from(item: Item, in keychain: Keychain, context: AuthenticationContext) throws
    -> SecKey
  { fatalError() }
}
extension SecCertificate {
  var itemAttributes: Attributes { [:] }
}
