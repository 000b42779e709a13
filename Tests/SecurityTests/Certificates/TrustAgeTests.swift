import AtRestSimulation
import Foundation
import Security
import Synchronization
import Testing

/// Tests of how long the result of an evaluation holds. The evaluator is that of the process.
extension TrustTests {
  @Suite struct AgeTests {
    /// An evaluator that trusts everything, or refuses, and counts.
    private final class Counting: TrustEvaluator {
      private let state = Mutex(0)
      let refusal: TrustRefusal?
      init(_ refusal: TrustRefusal? = nil) { self.refusal = refusal }

      func chain(for request: TrustRequest) async throws -> [SecCertificate] {
        state.withLock { $0 += 1 }
        if let refusal { throw refusal }
        return [request.certificate] + request.anchors
      }
      var count: Int { state.withLock { $0 } }
    }

    private static let minute: TimeInterval = 60

    /// Evaluates a certificate on a device, and returns how often it was evaluated after each advance.
    private func counts(
      after advances: [TimeInterval], refusal: TrustRefusal? = nil,
      _ prepare: (SimulatedDevice, SecTrust) -> Void = { _, _ in }
    ) throws -> [Int] {
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      var made: SecTrust?
      #expect(SecTrustCreateWithCertificates(leaf, nil, &made) == 0)
      let trust = try #require(made)
      let evaluator = Counting(refusal)
      SecTrust.setEvaluator(evaluator)
      defer { SecTrust.setEvaluator(nil) }
      let device = try SimulatedDevice()
      return device.run {
        prepare(device, trust)
        return advances.map { seconds in
          device.advanceClock(by: seconds)
          #expect(SecTrustEvaluateWithError(trust, nil) == (refusal == nil))
          return evaluator.count
        }
      }
    }

    @Test func aResultHoldsForAnHourAndAQuarter() throws {
      #expect(try counts(after: [0, 74 * Self.minute, 2 * Self.minute, 1]) == [1, 1, 2, 2])
    }

    @Test func aRefusalAgesToo() throws {
      let refusal = TrustRefusal(errSecCertificateExpired, "It is over.")
      #expect(try counts(after: [0, 1, 76 * Self.minute], refusal: refusal) == [1, 1, 2])
    }

    @Test func aClockThatWentBackEndsAResult() throws {
      #expect(try counts(after: [0, -74 * Self.minute, -2 * Self.minute]) == [1, 1, 2])
    }

    /// The result ends with a certificate, although the time of a result has not passed.
    @Test func aResultEndsWithACertificate() throws {
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      let end = try #require(SecCertificateCopyNotValidAfterDate(leaf) as Date?)
      let counts = try counts(after: [0, 9 * Self.minute, 2 * Self.minute]) { device, _ in
        device.advanceClock(by: end.timeIntervalSinceNow - 10 * Self.minute)
      }
      #expect(counts == [1, 1, 2])
    }

    /// Apple's sources: a date far from the present is divorced from reality, and so is its result.
    @Test func aResultForAnotherDateHolds() throws {
      let counts = try counts(after: [0, 76 * Self.minute, 76 * Self.minute]) { _, trust in
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: 1_000_000_000) as CFDate)
      }
      #expect(counts == [1, 1, 1])
    }

    @Test func theDateIsThatOfTheDevice() throws {
      let device = try SimulatedDevice()
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      var trust: SecTrust?
      SecTrustCreateWithCertificates(leaf, nil, &trust)
      let made = try #require(trust)
      device.advanceClock(by: 100 * 86400)
      let later = device.run { SecTrustGetVerifyTime(made) }
      #expect(later - SecTrustGetVerifyTime(made) > 99 * 86400)
    }

    @Test func aFatalRefusalIsShownAsSuch() throws {
      let refusal = TrustRefusal(errSecUnsupportedKeySize, "The key is too small.", isFatal: true)
      SecTrust.setEvaluator(Counting(refusal))
      defer { SecTrust.setEvaluator(nil) }
      var trust: SecTrust?
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      SecTrustCreateWithCertificates(leaf, nil, &trust)
      let made = try #require(trust)
      var result = SecTrustResultType.invalid
      #expect(SecTrustEvaluate(made, &result) == 0 && result == .fatalTrustFailure)
      #expect(SecTrustGetTrustResult(made, &result) == 0 && result == .fatalTrustFailure)
      var error: CFError?
      #expect(!SecTrustEvaluateWithError(made, &error))
      #expect(error?.code == Int(errSecUnsupportedKeySize))
    }
  }
}
