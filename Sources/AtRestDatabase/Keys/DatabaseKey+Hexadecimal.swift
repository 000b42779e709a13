import AtRestCrypto
import Foundation

extension DatabaseKey {
  /// A raw key in the form that SQLCipher's programs keep: 64, 96 or 160 hexadecimal digits.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are other characters, or another number of
  ///   digits.
  public static func raw(hexadecimal digits: borrowing SecretBytes) throws -> DatabaseKey {
    guard [64, 96, 160].contains(digits.count),
      let bytes = SecretBytes.decoded(hexadecimal: digits)
    else {
      throw AtRestError.invalid(
        "The raw key is not 64, 96 or 160 hexadecimal digits.",
        remedy: "Write the digits into the file, without a prefix.")
    }
    return try .raw(bytes)
  }

  /// Reads the salt of a file whose header is in plaintext, as 32 hexadecimal digits.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are other characters, or another number of digits.
  package static func salt(hexadecimal digits: borrowing SecretBytes) throws -> Data {
    guard digits.count == 2 * DatabaseFormat.saltSize,
      let bytes = SecretBytes.decoded(hexadecimal: digits)
    else {
      throw AtRestError.invalid(
        "The salt is not 32 hexadecimal digits.",
        remedy: "Write the digits into the file, without a prefix.")
    }
    return Data(copying: bytes)
  }
}
