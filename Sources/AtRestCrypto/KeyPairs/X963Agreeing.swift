import Foundation

/// A private key of a NIST curve that agrees on secrets, in memory or in hardware.
package protocol X963Agreeing: ~Copyable {
  var publicKey: PublicKey { get }

  /// Agrees on a secret with the holder of another key, and derives bytes from it (ANSI X9.63).
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the other key is on another curve, or for
  ///   counts that are negative or above 1 MiB.
  borrowing func sharedSecret(
    with other: PublicKey, derivingX963 function: DigestFunction, sharedInfo: Data, count: Int
  ) throws -> SecretBytes
}

extension X963Agreeing where Self: ~Copyable {
  /// Refuses keys that do not agree, and counts that cannot be derived. Returns the curve.
  borrowing func checkAgreement(with other: PublicKey, count: Int) throws -> any NISTCurve.Type {
    let algorithm = publicKey.algorithm
    guard let curve = algorithm.curve, other.algorithm == algorithm else {
      throw AtRestError.invalid(
        "Keys of \(algorithm) and \(other.algorithm) do not agree on secrets.",
        remedy: "Use two keys of the same NIST curve.")
    }
    guard (0...1 << 20).contains(count) else {
      throw AtRestError.invalid(
        "\(count) bytes cannot be derived.", remedy: "Derive at most 1 MiB.")
    }
    return curve
  }

  /// Derives bytes from the secret on which hardware agreed, after the checks of
  /// ``sharedSecret(with:derivingX963:sharedInfo:count:)``.
  package borrowing func derive(
    with other: PublicKey, _ function: DigestFunction, sharedInfo: Data, count: Int,
    agree: () throws -> SecretBytes
  ) throws -> SecretBytes {
    _ = try checkAgreement(with: other, count: count)
    return try agree().derivedX963(function, sharedInfo: sharedInfo, count: count)
  }
}
