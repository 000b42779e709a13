import AtRestCrypto

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
}
