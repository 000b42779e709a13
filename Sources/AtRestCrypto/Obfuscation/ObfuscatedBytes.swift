import Foundation

/// A masked secret in a program's code. The binary does not contain the plain bytes of the secret.
///
/// ```swift
/// // Written by: atrest obfuscate --name partialSecret
/// let partialSecret = ObfuscatedBytes(
///   seed: [0x3B, 0x0F, …],
///   masked: [0xA1, 0x77, …])
/// partialSecret.withSecret { use($0) }
/// ```
///
/// The secret is unmasked into locked memory for the duration of a call, and erased afterwards.
/// Without a mask, `strings` finds a string literal, and a search for bytes finds an array of plain
/// bytes, because the compiler stores both unchanged.
///
/// - Important: Masking hides the secret but does not protect it. Anyone who has the program can
///   run it or unmask the secret, because the seed and the masked bytes are stored side by side.
///   Every copy of the program contains the same secret. Use the secret only as one constituent of
///   a `CompositeKey`, never as a key, a password or a token of its own.
///
/// Safe to use from several threads.
public struct ObfuscatedBytes: Sendable {
  private let seed: [UInt8]
  private let masked: [UInt8]

  /// The longest secret in bytes, which is the output limit of one HKDF-SHA-256 derivation.
  public static let maximumCount = 8160

  /// Creates a masked secret from the literal that ``literal(masking:)`` or `atrest obfuscate`
  /// writes.
  ///
  /// - Parameters:
  ///   - seed: The seed of the mask, 16 bytes or more.
  ///   - masked: The masked secret, 1 to 8,160 bytes.
  public init(seed: [UInt8], masked: [UInt8]) {
    precondition(seed.count >= 16, "A seed must have 16 bytes or more.")
    precondition(
      (1...Self.maximumCount).contains(masked.count), "A masked secret must have 1 to 8,160 bytes.")
    self.seed = seed
    self.masked = masked
  }

  /// Masks a secret with a new random seed.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret is empty or has more than 8,160
  ///   bytes.
  public init(masking secret: borrowing SecretBytes) throws {
    guard (1...Self.maximumCount).contains(secret.count) else {
      throw AtRestError.invalid(
        "A secret of \(secret.count) bytes cannot be masked.",
        remedy: "Pass 1 to \(Self.maximumCount) bytes.")
    }
    var seed = [UInt8](repeating: 0, count: 16)
    seed.withUnsafeMutableBytes { RandomBytes.fill($0) }
    self.seed = seed
    let mask = Self.mask(seed, secret.count)
    masked = secret.withUnsafeBytes { secret in
      mask.withUnsafeBytes { mask in secret.indices.map { secret[$0] ^ mask[$0] } }
    }
  }

  private static func mask(_ seed: [UInt8], _ count: Int) -> SecretBytes {
    SecretBytes(seed).derive(Purpose("atrest.obfuscated-bytes.v1"), count: count)
  }

  /// Returns the secret in locked memory, which is erased when it is released.
  public func secret() -> SecretBytes {
    let mask = Self.mask(seed, masked.count)
    return SecretBytes(count: masked.count) { bytes in
      mask.withUnsafeBytes { mask in
        for index in masked.indices { bytes[index] = masked[index] ^ mask[index] }
      }
    }
  }

  /// Calls a closure with the secret, and erases the secret afterwards.
  public func withSecret<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing SecretBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let secret = secret()
    return try body(secret)
  }

  /// Returns the Swift literal of the masked secret, for a program's source.
  ///
  /// The literal differs each time, even for the same secret.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret is empty or has more than 8,160
  ///   bytes.
  public static func literal(masking secret: borrowing SecretBytes) throws -> String {
    let bytes = try ObfuscatedBytes(masking: secret)
    return """
      ObfuscatedBytes(
        seed: \(list(bytes.seed)),
        masked: \(list(bytes.masked)))
      """
  }

  private static func list(_ bytes: [UInt8]) -> String {
    let texts = bytes.map { String(format: "0x%02X", $0) }
    let lines = stride(from: 0, to: texts.count, by: 12).map { start in
      "    " + texts[start..<min(start + 12, texts.count)].joined(separator: ", ")
    }
    return "[\n" + lines.joined(separator: ",\n") + ",\n  ]"
  }
}
