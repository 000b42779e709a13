import Foundation

/// Bounds on the cost that an untrusted file may demand.
///
/// The cost of a passcode is read from a keybag that is authenticated first. A backup, a protected
/// file or a passphrase record cannot be authenticated before its cost is known. The bounds for
/// these three are therefore lower: a few seconds and 1 GiB.
extension PasswordKDF {
  /// The most memory that an untrusted file may demand, in bytes. The same limit applies to memory
  /// times parallelism.
  package static let maximumForeignMemory: UInt64 = 1 << 30
  /// The most PBKDF2 rounds that an untrusted file may demand. They take about as long as scrypt
  /// with 1 GiB.
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

  /// Reads parameters from an untrusted file, before any key is derived.
  ///
  /// - Parameter name: The name of the file, used as the beginning of error messages.
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

  /// Checks that readers accept this cost in an untrusted file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if no reader would accept this cost.
  package func checkForeignBounds() throws {
    guard isWithinForeignBounds else {
      throw AtRestError.invalid(
        "The cost is \(demand); at most \(Self.foreignBounds) are allowed.",
        remedy: "Choose a lower cost.")
    }
  }

  /// The cost in words, with the memory that it takes.
  private var demand: String {
    memory > 0 ? "\(self) (\(memory >> 20) MiB)" : description
  }
}
