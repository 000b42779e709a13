import AtRestCrypto
import Testing

/// A calibrated cost is never below the minimum, however short the target time is.
@Suite struct CalibrationTests {
  @Test(arguments: PasswordKDF.Function.allCases)
  func staysAboveTheMinimum(function: PasswordKDF.Function) {
    let kdf = PasswordKDF.calibrated(function, to: .nanoseconds(1))
    #expect(kdf.isAtLeastMinimum && kdf.function == function)
  }

  @Test func moreTimeOrdersMoreWork() {
    let kdf = PasswordKDF.calibrated(.pbkdf2SHA512, to: .seconds(60))
    #expect(kdf.cost > PasswordKDF.pbkdf2SHA512().cost)
  }

  /// A target that the minimum cost does not allow is reported.
  @Test func aTargetBelowTheMinimumIsReported() throws {
    let calibration = PasswordKDF.calibration(.pbkdf2SHA512, to: .microseconds(100))
    #expect(calibration.isBelowMinimum && calibration.kdf == .pbkdf2SHA512())
    #expect(calibration.duration == calibration.minimumDuration)
    let note = try #require(calibration.note)
    #expect(note.contains("cannot be met") && note.contains("220000 rounds"))
    // Control: nothing is said of a target that can be met.
    let met = PasswordKDF.calibration(.pbkdf2SHA512, to: .seconds(20))
    #expect(!met.isBelowMinimum && met.note == nil)
    // The cost has a maximum, which a machine that computes the minimum in 44 ms would reach.
    #expect(met.duration > .seconds(10) && met.duration <= .seconds(21))
  }

  // Control: the check can fail.
  @Test func testingCostIsBelowTheMinimum() {
    #expect(!PasswordKDF.forTesting.isAtLeastMinimum)
    #expect(!PasswordKDF.unchecked(.pbkdf2SHA256, cost: 599_999).isAtLeastMinimum)
  }
}
