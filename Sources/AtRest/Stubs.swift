import Foundation
import AtRestCrypto
import AtRestKeychain
public struct CompositeKey: Sendable {
  func key(keychain: Keychain, salt: PrimaryKey, protection: Protection, creatingSalt: Bool) throws
    -> SecretBytes
  { SecretBytes.random(count: 32) }
}
enum ResponseCaches { static func clear() {} }
