import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// A TPM that is gone, before or in the middle of a call, is *unavailable*, and works again after its
/// return.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct LostConnectionTests {
  @Test func aTPMThatIsGoneBetweenCallsIsFoundAgain() throws {
    let device = try SoftwareTPM()
    let tpm = device.tpm()
    let object = try tpm.perform { try $0.seal(value(1), authorization: value(2)) }
    device.stop()
    let error = refusal { try tpm.perform { try $0.unseal(object, authorization: value(2)) } }
    #expect(error?.code == .deviceUnavailable)
    #expect(TPM.unavailability(of: device.transport)?.code == .deviceUnavailable)
    try device.start()
    #expect(TPM.unavailability(of: device.transport) == nil)
    let unsealed = try tpm.perform { try $0.unseal(object, authorization: value(2)) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
  }

  /// The TPM is killed at every command of an unsealing in turn.
  @Test func aTPMThatIsGoneInTheMiddleOfACallIsUnavailable() throws {
    let device = try SoftwareTPM()
    // A TPM counts a wrong attempt if it is cut off after an authorization value was used. This object
    // has none.
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    let commands = [
      CommandCode.startSession, CommandCode.createPrimary, CommandCode.load, CommandCode.unseal,
    ]
    for command in commands {
      let proxy = TPMProxy(to: device) { code, _ in
        guard code == command else { return .forward }
        device.stop()
        return .forward
      }
      let tpm = TPM(transport: proxy.transport)
      let error = refusal { try tpm.perform { try $0.unseal(object) } }
      #expect(error?.code == .deviceUnavailable, "command \(command)")
      #expect(error?.message.contains("in the middle of a call") == true)
      try device.start()
      let unsealed = try device.tpm().perform { try $0.unseal(object) }
      #expect(Data(copying: unsealed) == Data(copying: value(1)))
    }
  }

  /// Writing to a socket whose other end is gone must not end the process (SIGPIPE).
  @Test func aTPMThatIsGoneBetweenTwoCommandsIsUnavailable() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    let error = refusal {
      try device.tpm().perform { connection in
        _ = try connection.primaryName()
        device.stop()
        return try connection.unseal(object)
      }
    }
    #expect(error?.code == .deviceUnavailable)
  }

  /// The end of the connection during a step of a counter leaves the counter whole, before or after.
  @Test func aCounterIsWholeAfterALostStep() throws {
    let device = try SoftwareTPM()
    let (counter, first) = try device.tpm().perform {
      try $0.defineCounter(authorization: value(1))
    }
    let proxy = TPMProxy(to: device) { code, _ in
      code == CommandCode.nvIncrement ? .change { _ in Data() } : .forward
    }
    let error = refusal {
      try TPM(transport: proxy.transport).perform {
        try $0.increment(counter, authorization: value(1))
      }
    }
    #expect(error?.code == .deviceUnavailable)
    device.stop()
    try device.start()
    let last = try device.tpm().perform { try $0.value(of: counter, authorization: value(1)) }
    #expect(last == first || last == first + 1)
  }

  @Test func anAbsentTPMIsUnavailable() {
    for transport in ["device:/dev/no-such-tpm", "swtpm:path=/no/such/socket"] {
      let error = TPM.unavailability(of: transport)
      #expect(error?.code == .deviceUnavailable)
      #expect(error?.message.contains(transport) == true)
    }
  }

  /// tpm2-tss would load a library of any name.
  @Test func anUnknownTransportIsRefused() {
    for transport in ["", "libevil.so", "/tmp/libevil.so:x", "cmd:sh"] {
      #expect(TPM.unavailability(of: transport)?.code == .invalidArgument)
    }
  }
}
