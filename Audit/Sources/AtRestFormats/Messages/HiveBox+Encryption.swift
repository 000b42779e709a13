extension HiveBox {
  /// The number of values that are looked at.
  private static let sample = 8
  /// The smallest size of an encrypted value in bytes: an IV and a block.
  package static let smallestEncrypted = 32
  package static let blockSize = 16

  /// True if the values are encrypted: they cannot be read, and have the sizes of encrypted ones.
  package var isEncrypted: Bool {
    guard seed != 0, let values = try? values(first: Self.sample) else { return false }
    return values.allSatisfy {
      $0.count >= Self.smallestEncrypted && $0.count % Self.blockSize == 0
        && HiveValue.read($0) == nil
    }
  }
}
