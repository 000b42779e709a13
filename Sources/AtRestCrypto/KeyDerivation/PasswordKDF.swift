import Crypto
import CryptoExtras
import Foundation

/// A function that derives a key from a password, with its cost. Both are stored beside the data
/// that the key protects.
///
/// ```swift
/// let kdf = PasswordKDF.scrypt()                         // OWASP's present minimum
/// let slow = PasswordKDF.calibrated(.scrypt, to: .milliseconds(500))
/// let told = PasswordKDF.calibration(.scrypt, to: .milliseconds(100))
/// if let note = told.note { print(note) }                // the minimum takes longer
/// let key = try kdf.deriveKey(from: password, salt: RandomBytes.data(count: 16))
/// ```
///
/// Costs have a lower and an upper bound. New values are never below the minimum of the OWASP
/// Password Storage Cheat Sheet. Values read from a file are never above the limits of
/// ``decoded(from:)``, so a hostile header cannot demand a terabyte of memory.
public struct PasswordKDF: Hashable, Sendable, CustomStringConvertible {
  /// The derivation functions.
  public enum Function: UInt8, Sendable, CaseIterable {
    /// scrypt, RFC 7914.
    case scrypt = 1
    /// PBKDF2 with HMAC-SHA-256, RFC 8018.
    case pbkdf2SHA256 = 2
    /// PBKDF2 with HMAC-SHA-512, RFC 8018.
    case pbkdf2SHA512 = 3
  }

  /// The derivation function.
  public let function: Function
  /// The number of PBKDF2 rounds, or the binary logarithm of scrypt's N.
  public let cost: UInt32
  /// The block size r of scrypt; 0 for PBKDF2.
  public let blockSize: UInt32
  /// The parallelism p of scrypt; 0 for PBKDF2.
  public let parallelism: UInt32

  /// Returns scrypt with N = 2^`logN`.
  ///
  /// - Parameters:
  ///   - logN: 17 to 22. scrypt takes 128 × 2^logN × r bytes of memory (128 MiB for `logN` 17 and r
  ///     8), which must not exceed 4 GiB.
  ///   - blockSize: r, 8 to 32.
  ///   - parallelism: p, 1 to 16.
  public static func scrypt(
    logN: UInt32 = 17, blockSize: UInt32 = 8, parallelism: UInt32 = 1
  ) -> PasswordKDF {
    let kdf = PasswordKDF(
      function: .scrypt, cost: logN, blockSize: blockSize, parallelism: parallelism)
    precondition(kdf.isAtLeastMinimum && kdf.isWithinBounds, "Cost out of bounds: \(kdf).")
    return kdf
  }

  /// Returns PBKDF2-HMAC-SHA-256 with 600,000 to 100,000,000 rounds.
  public static func pbkdf2SHA256(rounds: UInt32 = 600_000) -> PasswordKDF {
    pbkdf2(.pbkdf2SHA256, rounds)
  }

  /// Returns PBKDF2-HMAC-SHA-512 with 220,000 to 100,000,000 rounds.
  public static func pbkdf2SHA512(rounds: UInt32 = 220_000) -> PasswordKDF {
    pbkdf2(.pbkdf2SHA512, rounds)
  }

  static func pbkdf2(_ function: Function, _ rounds: UInt32) -> PasswordKDF {
    let kdf = PasswordKDF(function: function, cost: rounds, blockSize: 0, parallelism: 0)
    precondition(kdf.isAtLeastMinimum && kdf.isWithinBounds, "Cost out of bounds: \(kdf).")
    return kdf
  }

  private init(function: Function, cost: UInt32, blockSize: UInt32, parallelism: UInt32) {
    self.function = function
    self.cost = cost
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// A cost far below the minimum, for tests of this project that open thousands of stores.
  package static let forTesting = PasswordKDF(
    function: .scrypt, cost: 4, blockSize: 8, parallelism: 1)

  /// Returns the parameters of a legacy format or a test vector without checking them.
  package static func unchecked(
    _ function: Function, cost: UInt32, blockSize: UInt32 = 0, parallelism: UInt32 = 0
  ) -> PasswordKDF {
    PasswordKDF(function: function, cost: cost, blockSize: blockSize, parallelism: parallelism)
  }

  static func minimum(_ function: Function) -> PasswordKDF {
    switch function {
    case .scrypt: .scrypt()
    case .pbkdf2SHA256: .pbkdf2SHA256()
    case .pbkdf2SHA512: .pbkdf2SHA512()
    }
  }

  /// True if the cost is at least OWASP's present minimum for the function.
  public var isAtLeastMinimum: Bool {
    switch function {
    case .scrypt: cost >= 17 && blockSize >= 8 && parallelism >= 1
    case .pbkdf2SHA256: cost >= 600_000
    case .pbkdf2SHA512: cost >= 220_000
    }
  }

  /// The memory that a derivation takes, in bytes. 0 for PBKDF2, which takes hardly any.
  package var memory: UInt64 {
    switch function {
    case .scrypt: (UInt64(128) << cost) * UInt64(blockSize)
    case .pbkdf2SHA256, .pbkdf2SHA512: 0
    }
  }

  private var isWithinBounds: Bool {
    switch function {
    case .scrypt:
      // At most 4 GiB of memory (N = 2^22, r = 8), and at most 16 times as long as one pass over
      // this memory (p = 16).
      (1...22).contains(cost) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
        && memory <= 4 << 30
    case .pbkdf2SHA256, .pbkdf2SHA512:
      (1...100_000_000).contains(cost) && blockSize == 0 && parallelism == 0
    }
  }

  /// Derives a key from a password.
  ///
  /// The cost determines the time. Call this method off the main thread.
  ///
  /// - Parameters:
  ///   - password: Any bytes. Normalise text (NFC) first if it may be typed on different keyboards.
  ///   - salt: Random bytes, 16 or more, stored beside the protected data.
  ///   - count: The number of bytes to derive.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the parameters are rejected or the machine
  ///   does not have enough memory for them.
  public func deriveKey(
    from password: borrowing SecretBytes, salt: Data, count: Int = 32
  ) throws -> SecretBytes {
    do {
      return SecretBytes(try password.withUnsafeBytes { try key(from: $0, salt, count) })
    } catch {
      throw AtRestError(
        .invalidArgument, "\(self) could not be computed.",
        remedy: "Check that the machine has enough memory.", cause: error)
    }
  }

  private func key(
    from password: UnsafeRawBufferPointer, _ salt: Data, _ count: Int
  ) throws -> SymmetricKey {
    switch function {
    case .scrypt:
      try Remains.erased(afterDeriving: count) {
        try KDF.Scrypt.deriveKey(
          from: password, salt: salt, outputByteCount: count, rounds: 1 << Int(cost),
          blockSize: Int(blockSize), parallelism: Int(parallelism), maxMemory: 5 << 30)
      }
    case .pbkdf2SHA256:
      try PBKDF2.key(from: password, salt: salt, .sha256, rounds: Int(cost), count: count)
    case .pbkdf2SHA512:
      try PBKDF2.key(from: password, salt: salt, .sha512, rounds: Int(cost), count: count)
    }
  }

  /// The parameters in 13 bytes: function, cost, block size, parallelism.
  public var encoded: Data {
    var writer = ByteWriter(capacity: 13)
    writer.integer(function.rawValue)
    writer.integer(cost)
    writer.integer(blockSize)
    writer.integer(parallelism)
    return writer.data
  }

  /// Decodes parameters, and refuses a cost that is higher than in any genuine header.
  ///
  /// - Throws: ``AtRestError/Code/unsupportedVersion`` if the function is unknown;
  ///   ``AtRestError/Code/damaged`` if there are too few or too many bytes, or if the cost is out
  ///   of bounds (4 GiB of memory; 100,000,000 rounds).
  public static func decoded(from bytes: some ContiguousBytes) throws -> PasswordKDF {
    try bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The password KDF's parameters")
      let number = try reader.integer(UInt8.self)
      guard let function = Function(rawValue: number) else {
        throw AtRestError(
          .unsupportedVersion, "Password KDF number \(number) is unknown.",
          remedy: "Use a later version of AtRest.")
      }
      let kdf = PasswordKDF(
        function: function, cost: try reader.integer(), blockSize: try reader.integer(),
        parallelism: try reader.integer())
      try reader.finish()
      guard kdf.isWithinBounds else {
        throw AtRestError.damaged("The password KDF's cost is out of bounds: \(kdf).")
      }
      return kdf
    }
  }

  /// The size of ``encoded``, in bytes.
  package static let encodedCount = 13

  public var description: String {
    switch function {
    case .scrypt: "scrypt N=2^\(cost) r=\(blockSize) p=\(parallelism)"
    case .pbkdf2SHA256: "PBKDF2-HMAC-SHA256 \(cost) rounds"
    case .pbkdf2SHA512: "PBKDF2-HMAC-SHA512 \(cost) rounds"
    }
  }
}
