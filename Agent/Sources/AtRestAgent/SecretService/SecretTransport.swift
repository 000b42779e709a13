@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import CAtRestModularPower
import Crypto
import CryptoExtras
import Foundation

/// The form in which secrets pass between the agent and one session of a client.
///
/// The encryption is that of the Secret Service, with a key exchange of 1024 bits, and protects only from programs that
/// listen on a bus. Nobody can listen on the agent's own socket.
enum SecretTransport: Sendable {
  case plain
  /// AES-128-CBC under a key of 16 bytes.
  case encrypted(AgentSecret)

  static let plainName = "plain"
  static let encryptedName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

  /// The prime of 1024 bits (RFC 2409, section 6.2), whose generator is 2.
  static let prime = Data(
    hexadecimal: """
      ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd\
      ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed\
      ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff
      """)!
  private static let size = 128

  /// Agrees on a key with the other side's public number.
  ///
  /// - Returns: The transport, and this side's public number.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the number is less than 2 or greater than the prime - 2;
  ///   ``BusFailure`` if the system has no GMP.
  static func agree(with other: BusBytes) throws -> (SecretTransport, BusBytes) {
    try agree(with: other, exponent: SecretBytes(count: size) { RandomBytes.fill($0) })
  }

  static func agree(
    with other: BusBytes, exponent: borrowing SecretBytes
  ) throws -> (SecretTransport, BusBytes) {
    let given = try number(other)
    var generator = Data(count: size)
    generator[size - 1] = 2
    let own = try power(generator, exponent)
    let shared = try power(given, exponent)
    let key = shared.withUnsafeBytes { shared in
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: shared), salt: Data(count: 32), info: Data(),
        outputByteCount: 16)
    }
    let secret = key.withUnsafeBytes { AgentSecret(SecretBytes(copying: $0)) }
    return (.encrypted(secret), BusBytes(own))
  }

  /// The refusal where the system has no GMP. Clients then ask for the transport without encryption.
  static let noLibrary = BusFailure(
    BusHub.bus + ".Error.NotSupported",
    "Sessions of this kind need the library libgmp.so.10 (Debian: libgmp10).")

  /// Returns a public number with leading zeros.
  private static func number(_ bytes: BusBytes) throws -> Data {
    let digits = bytes.withUnsafeBytes { Data($0.drop { $0 == 0 }) }
    let isUsable =
      digits.count <= size && !digits.isEmpty && digits != Data([1])
      && !(digits.count == size && !digits.lexicographicallyPrecedes(prime.dropLast() + [0xfe]))
    guard isUsable else {
      throw AtRestError(
        .invalidArgument, "The public key of the session is not one of this group.",
        remedy: "Use a key of RFC 2409, section 6.2.")
    }
    return Data(count: size - digits.count) + digits
  }

  private static func power(_ base: Data, _ exponent: borrowing SecretBytes) throws -> SecretBytes {
    var code: Int32 = 0
    let result = exponent.withUnsafeBytes { exponent in
      SecretBytes(count: size) { result in
        base.withUnsafeBytes { base in
          prime.withUnsafeBytes { prime in
            code = atrest_modular_power(
              result.baseAddress, base.baseAddress, exponent.baseAddress, prime.baseAddress, size)
          }
        }
      }
    }
    if code == -2 { throw Self.noLibrary }
    guard code == 0 else {
      throw AtRestError(.system, "A key could not be agreed on.", remedy: "Try again.")
    }
    return result
  }

  // MARK: Secrets

  private static let block = 16

  /// Returns the parameters and the value of a secret.
  func seal(_ secret: UnsafeRawBufferPointer) throws -> (parameters: BusValue, value: BusValue) {
    guard case .encrypted(let key) = self else {
      return (.bytes([]), .bytes(BusBytes(SecretBytes(copying: secret))))
    }
    let vector = Array(RandomBytes.data(count: Self.block))
    let padding = Self.block - secret.count % Self.block
    // swift-crypto's own CBC leaves copies of the plaintext. Here, each block is encrypted in its place.
    let value = try key.bytes.withUnsafeBytes { key in
      let key = SymmetricKey(data: key)
      return try SecretBytes(count: secret.count + padding) { bytes in
        bytes.copyBytes(from: secret)
        for index in secret.count..<bytes.count { bytes[index] = UInt8(padding) }
        for start in stride(from: 0, to: bytes.count, by: Self.block) {
          for index in start..<start + Self.block {
            bytes[index] ^= start == 0 ? vector[index] : bytes[index - Self.block]
          }
          var part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + Self.block])
          try AES.permute(&part, key: key)
        }
      }
    }
    return (.bytes(vector), .bytes(BusBytes(value)))
  }

  /// Returns the secret of parameters and a value.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument``.
  func open(_ value: BusBytes, _ parameters: BusBytes) throws -> SecretBytes {
    guard case .encrypted(let key) = self else {
      return value.withUnsafeBytes { SecretBytes(copying: $0) }
    }
    let vector = parameters.withUnsafeBytes { Array($0) }
    guard vector.count == Self.block, value.count > 0, value.count % Self.block == 0 else {
      throw Self.notOfThisSession
    }
    let padded = try key.bytes.withUnsafeBytes { key in
      let key = SymmetricKey(data: key)
      return try SecretBytes(count: value.count) { bytes in
        value.withUnsafeBytes { bytes.copyMemory(from: $0) }
        for start in stride(from: bytes.count - Self.block, through: 0, by: -Self.block) {
          var part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + Self.block])
          try AES.inversePermute(&part, key: key)
          for index in start..<start + Self.block {
            bytes[index] ^= start == 0 ? vector[index] : bytes[index - Self.block]
          }
        }
      }
    }
    return try padded.withUnsafeBytes { bytes in
      let padding = Int(bytes[bytes.count - 1])
      guard (1...Self.block).contains(padding),
        bytes.suffix(padding).allSatisfy({ $0 == UInt8(padding) })
      else { throw Self.notOfThisSession }
      return SecretBytes(
        copying: UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - padding)]))
    }
  }

  private static let notOfThisSession = AtRestError(
    .invalidArgument, "The secret is not encrypted under the key of its session.",
    remedy: "Open a new session.")
}
