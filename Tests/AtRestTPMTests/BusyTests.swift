import AtRestCrypto
import AtRestTPM
import Foundation
import Synchronization
import Testing

/// A TPM that is busy is asked again, but not for ever.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct BusyTests {
  /// TPM_RC_RETRY, TPM_RC_YIELDED, TPM_RC_TESTING and TPM_RC_NV_RATE.
  private static let codes: [UInt32] = [0x922, 0x908, 0x90A, 0x920]

  @Test func aTPMThatIsBusyForAMomentIsAskedAgain() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    for busy in Self.codes {
      let left = Mutex(7)
      let proxy = TPMProxy(to: device) { code, _ in
        let isBusy = left.withLock { left in
          guard code == CommandCode.unseal, left > 0 else { return false }
          left -= 1
          return true
        }
        return isBusy ? .answer(TPMProxy.answer(code: busy)) : .forward
      }
      let unsealed = try TPM(transport: proxy.transport).perform { try $0.unseal(object) }
      #expect(Data(copying: unsealed) == Data(copying: value(1)))
    }
  }

  @Test func aTPMThatStaysBusyIsReported() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    let proxy = TPMProxy(to: device) { code, _ in
      code == CommandCode.unseal ? .answer(TPMProxy.answer(code: 0x922)) : .forward
    }
    let tpm = TPM(transport: proxy.transport, patience: .milliseconds(50))
    let error = refusal { try tpm.perform { try $0.unseal(object) } }
    #expect(error?.code == .busy)
  }
}
