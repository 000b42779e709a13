import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// A counter only grows, whatever is done to it.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct CounterTests {
  @Test func stepsRaiseTheValueByOne() throws {
    let device = try SoftwareTPM()
    let (counter, first) = try device.tpm().perform {
      try $0.defineCounter(authorization: value(1))
    }
    #expect((0x0180_0000...0x01BF_FFFF).contains(counter.index))
    for step in 1...3 {
      let raised = try device.tpm().perform { try $0.increment(counter, authorization: value(1)) }
      #expect(raised == first + UInt64(step))
    }
    #expect(
      try device.tpm().perform { try $0.value(of: counter, authorization: value(1)) } == first + 3)
    device.stop()
    try device.start()
    #expect(
      try device.tpm().perform { try $0.value(of: counter, authorization: value(1)) } == first + 3)
  }

  @Test func aNewCounterStartsAboveADeletedOne() throws {
    let device = try SoftwareTPM()
    let last = try device.tpm().perform { connection in
      let (counter, _) = try connection.defineCounter(authorization: value(1))
      for _ in 0..<4 { try connection.increment(counter, authorization: value(1)) }
      let last = try connection.value(of: counter, authorization: value(1))
      try connection.undefine(counter)
      // Deleting what is not there is no error.
      try connection.undefine(counter)
      return last
    }
    let (_, first) = try device.tpm().perform { try $0.defineCounter(authorization: value(1)) }
    #expect(first > last)
  }

  @Test func aWrongAuthorizationIsRefusedAndDoesNotCount() throws {
    let device = try SoftwareTPM()
    let (counter, _) = try device.tpm().perform { try $0.defineCounter(authorization: value(1)) }
    for _ in 0..<4 {
      let error = refusal {
        try device.tpm().perform { try $0.increment(counter, authorization: value(2)) }
      }
      #expect(error?.code == .damaged)
    }
    #expect(try device.tpm().perform { try $0.state() }.wrongAttempts == 0)
    _ = try device.tpm().perform { try $0.increment(counter, authorization: value(1)) }
  }
}
