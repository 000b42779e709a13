import AtRestCrypto
import AtRestKeychain
import Foundation
import LocalAuthentication

/// A key of the secure enclave with the keychain and the context with which it is used.
struct BoundKey: Sendable {
  private let key: EnclaveKey
  private let keychain: Keychain
  private let holder: LAContext?

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - function: The name of the call, which a simulated device reports if the call misses it.
  ///   - isSuitable: A closure that returns true for a public key, in X9.63 form, that the caller can
  ///     use.
  init(
    _ use: EnclaveKey.Use, calling function: String, _ accessControl: AccessControlObject,
    _ holder: LAContext?, where isSuitable: (Data) throws -> Bool
  ) throws {
    self.holder = holder
    (keychain, key) = try Self.translating {
      let keychain = try DefaultKeychain.get(for: holder, function)
      let key = try keychain.makeEnclaveKey(
        for: use, protection: accessControl.protection, context: Self.context(of: holder)
      ) { (try? isSuitable($0.x963Representation())) ?? false }
      return (keychain, key)
    }
  }

  /// Opens a key from its representation.
  init(
    _ use: EnclaveKey.Use, calling function: String, opening representation: Data,
    _ holder: LAContext?
  ) throws {
    self.holder = holder
    (keychain, key) = try Self.translating {
      let keychain = try DefaultKeychain.get(for: holder, function)
      return (keychain, try keychain.enclaveKey(representation, for: use))
    }
  }

  var representation: Data { key.representation }

  /// The public half in X9.63 form.
  var publicKey: Data { get throws { try key.publicKey.x963Representation() } }

  /// Calls a closure with the private half.
  func use<Result>(_ body: (borrowing PrivateKeyInUse) throws -> Result) throws -> Result {
    try Self.translating {
      try keychain.withPrivateKey(of: key, context: Self.context(of: holder), body)
    }
  }

  private static func context(of holder: LAContext?) -> AuthenticationContext {
    holder?.authenticationContext(reason: nil, interaction: nil) ?? AuthenticationContext()
  }

  /// Converts the errors of a proof that the user did not give.
  private static func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AtRestError {
      throw LAError.refusedProof(error) ?? error
    }
  }
}

extension AccessControlObject {
  /// The access control of keys for which the caller names none: usable while the device is unlocked,
  /// without asking the user.
  @usableFromInline static var keyUsage: AccessControlObject {
    AccessControlObject(.controlled(.privateKeyUsage(.whenUnlockedThisDeviceOnly)))
  }
}
