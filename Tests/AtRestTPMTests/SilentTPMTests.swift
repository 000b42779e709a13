import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// A TPM that does not answer is *busy* after a limited time.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct SilentTPMTests {
  private func silence(of transport: String) -> AtRestError? {
    refusal {
      try TPM(transport: transport, silence: .milliseconds(50)).perform { try $0.state() }
    }
  }

  @Test func aFrozenTPMIsBusyUntilItGoesOn() throws {
    let device = try SoftwareTPM()
    device.freeze()
    for _ in 0..<2 {
      let error = try #require(silence(of: device.transport))
      #expect(error.code == .busy && error.message.contains("did not answer for 50 milliseconds"))
    }
    device.thaw()
    #expect(TPM.unavailability(of: device.transport) == nil)
  }

  /// The answer to each command in turn does not come.
  @Test func aTPMThatFallsSilentInTheMiddleIsBusy() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    let commands = [
      CommandCode.startSession, CommandCode.createPrimary, CommandCode.load, CommandCode.unseal,
    ]
    for command in commands {
      let proxy = TPMProxy(to: device) { code, _ in code == command ? .swallow : .forward }
      let tpm = TPM(transport: proxy.transport, silence: .milliseconds(50))
      #expect(refusal { try tpm.perform { try $0.unseal(object) } }?.code == .busy)
      // What the connection had loaded stays in a TPM without a resource manager.
      for kind in ["-t", "-l"] { try device.tool("tpm2_flushcontext", kind) }
      let unsealed = try device.tpm().perform { try $0.unseal(object) }
      #expect(Data(copying: unsealed) == Data(copying: value(1)))
    }
  }

  /// A character device: tpm2-tss's own transport, as for `/dev/tpmrm0`, with a terminal as the device.
  /// It is asked for a property when it is opened, before AtRest's first command.
  @Test func aDeviceFileThatFallsSilentIsBusy() throws {
    let device = try SoftwareTPM()
    let transport: String
    do {
      let terminal = try TerminalTPM()
      transport = "device:\(terminal.path)"
      terminal.answer(from: device, atMost: 1)
      #expect(silence(of: transport)?.code == .busy)
    }
    // The control: a TPM that answers behind a terminal.
    let terminal = try TerminalTPM()
    terminal.answer(from: device, atMost: .max)
    let state = try TPM(transport: "device:\(terminal.path)").perform { try $0.state() }
    #expect(state.maximumWrongAttempts == 3)
  }

  @Test func theVariableSetsTheTime() throws {
    #expect(TPM.usualSilence == .seconds(30))
  }
}
