import AtRestCrypto
import AtRestTPM
import Foundation
import Synchronization
import Testing

/// Something between the library and the TPM that shows a primary key of its own, to read the salt of
/// sessions, is found out by the pinned name.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct InterposerTests {
  /// Returns the public area (`TPM2B_PUBLIC`) and the name of a TPM's primary key.
  private func primary(of device: SoftwareTPM) throws -> (area: Data, name: TPMName) {
    let areas = Mutex<Data?>(nil)
    let proxy = TPMProxy(to: device) { code, _ in
      guard code == CommandCode.createPrimary else { return .forward }
      return .change { answer in
        let start = answer.startIndex + 18
        let count = 2 + Int(answer[start]) << 8 + Int(answer[start + 1])
        areas.withLock { $0 = Data(answer[start..<(start + count)]) }
        return answer
      }
    }
    let name = try TPM(transport: proxy.transport).perform { try $0.primaryName() }
    return (try #require(areas.withLock { $0 }), name)
  }

  @Test func aForgedPrimaryKeyIsRefused() throws {
    let (device, attacker) = (try SoftwareTPM(), try SoftwareTPM())
    let genuine = try device.tpm().perform { try $0.primaryName() }
    let forged = try primary(of: attacker)
    #expect(forged.name != genuine)
    let proxy = TPMProxy(to: device) { code, command in
      guard code == CommandCode.createPrimary else { return .forward }
      let attack = ForgedPrimary(publicArea: forged.area)
      return .change { attack.replace($0, to: command) }
    }
    // Control: the forgery is right, so without a pinned name it is believed.
    let believed = try TPM(transport: proxy.transport).perform { try $0.primaryName() }
    #expect(believed == forged.name)

    let before = proxy.commands.count
    let error = refusal {
      try TPM(transport: proxy.transport, primary: genuine).perform {
        try $0.seal(value(1), authorization: value(2))
      }
    }
    #expect(error?.code == .otherDevice)
    // No session was salted with the attacker's key.
    let after = proxy.commands[before...]
    #expect(after.filter { $0 == CommandCode.startSession }.count == 1)
    #expect(!after.contains(CommandCode.create))
  }

  /// The library reads the persistent key before AtRest does. A key that is shown only the first time
  /// is not used.
  @Test func aPersistentKeyThatIsForgedOnceIsNotUsed() throws {
    let (device, attacker) = (try SoftwareTPM(), try SoftwareTPM())
    let genuine = try primary(of: device)
    let forged = try primary(of: attacker)
    let reads = Mutex(0)
    let proxy = TPMProxy(to: device) { code, _ in
      guard code == CommandCode.readPublic else { return .forward }
      let read = reads.withLock { count in
        count += 1
        return count
      }
      let shown = read == 1 ? forged : genuine
      return .answer(Self.answer(area: shown.area, name: shown.name))
    }
    let tpm = TPM(transport: proxy.transport, primary: genuine.name)
    let object = try tpm.perform { try $0.seal(value(1)) }
    #expect(reads.withLock { $0 } == 2)
    // The genuine key was created instead.
    #expect(proxy.commands.contains(CommandCode.createPrimary))
    let unsealed = try device.tpm().perform { try $0.unseal(object) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
  }

  @Test func aModifiedAnswerIsRefused() throws {
    let device = try SoftwareTPM()
    let (counter, _) = try device.tpm().perform { try $0.defineCounter(authorization: value(1)) }
    let proxy = TPMProxy(to: device) { code, _ in
      guard code == CommandCode.nvRead else { return .forward }
      return .change { answer in
        var answer = answer
        answer[answer.startIndex + 20] ^= 1
        return answer
      }
    }
    let error = refusal {
      try TPM(transport: proxy.transport).perform {
        try $0.value(of: counter, authorization: value(1))
      }
    }
    #expect(error?.code == .otherDevice)
  }

  /// The answer to ReadPublic: the public area, the name, and a qualified name, which nobody checks.
  private static func answer(area: Data, name: TPMName) -> Data {
    let names = Data([0, 34]) + name.data + Data([0, 34]) + name.data
    let count = 10 + area.count + names.count
    return Data([0x80, 0x01, 0, 0, UInt8(count >> 8), UInt8(count & 255), 0, 0, 0, 0]) + area
      + names
  }
}
