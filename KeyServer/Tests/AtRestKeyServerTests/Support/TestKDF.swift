import AtRestCrypto
import Foundation

/// A password KDF with a cost far below the minimum, so that tests are fast.
enum TestKDF {
  static var fast: PasswordKDF {
    get throws {
      // scrypt, N = 2^4, r = 8, p = 1.
      try PasswordKDF.decoded(from: Data([1, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 1]))
    }
  }
}
