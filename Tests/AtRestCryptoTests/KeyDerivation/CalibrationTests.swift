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

  // Control: the check can fail.
  @Test func testingCostIsBelowTheMinimum() {
    #expect(!PasswordKDF.forTesting.isAtLeastMinimum)
    #expect(!PasswordKDF.unchecked(.pbkdf2SHA256, cost: 599_999).isAtLeastMinimum)
  }
}
