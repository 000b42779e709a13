import Foundation

/// Bounds on the cost that an untrusted file may demand.
///
/// The cost of a passcode is read from a keybag that is authenticated first. A backup, a protected
/// file or a record under a passphrase states its cost before anything shows who wrote it. Its
/// bound is therefore lower: a few seconds and 1 GiB.
extension PasswordKDF {
  /// The most memory that such a file may demand, in bytes. It also bounds memory times
  /// parallelism.
  package static let maximumForeignMemory: UInt64 = 1 << 30
  /// The most rounds of PBKDF2 that such a file may demand. They take about as long as 1 GiB of
  /// scrypt.
  package static let maximumForeignRounds: UInt32 = 10_000_000

  /// True if a file from an untrusted source may demand this cost.
  package var isWithinForeignBounds: Bool {
    switch function {
    case .scrypt: memory <= Self.maximumForeignMemory / UInt64(max(1, parallelism))
    case .pbkdf2SHA256, .pbkdf2SHA512: cost <= Self.maximumForeignRounds
    }
  }

  private static var foreignBounds: String {
    "\(maximumForeignMemory >> 20) MiB of memory times parallelism, or \(maximumForeignRounds) rounds"
  }

  /// Reads parameters from a file of an untrusted source, before any key is derived.
  ///
  /// - Parameter name: The name of the file, with which an error message begins.
  /// - Throws: ``AtRestError/Code/damaged`` if the cost is above ``maximumForeignMemory`` or
  ///   ``maximumForeignRounds``; otherwise the errors of ``decoded(from:)``.
  package static func decoded(
    from bytes: some ContiguousBytes, demandedBy name: String
  ) throws -> PasswordKDF {
    let kdf = try decoded(from: bytes)
    guard kdf.isWithinForeignBounds else {
      throw AtRestError.damaged(
        "\(name) demands \(kdf.demand); at most \(foreignBounds) are allowed.",
        remedy: "Do not trust it. Use another copy, or ask its author for one.")
    }
    return kdf
  }

  /// Checks a cost before it is written into such a file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if no reader would accept it.
  package func checkForeignBounds() throws {
    guard isWithinForeignBounds else {
      throw AtRestError.invalid(
        "The cost is \(demand); at most \(Self.foreignBounds) are allowed.",
        remedy: "Choose a lower cost.")
    }
  }

  /// The cost in words, with the memory that it takes.
  private var demand: String {
    function == .scrypt ? "\(self) (\(memory >> 20) MiB)" : description
  }
}
