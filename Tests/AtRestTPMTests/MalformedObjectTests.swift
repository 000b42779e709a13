import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// The encoding of an object is read strictly and within bounds.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct MalformedObjectTests {
  @Test func malformedObjectsAreDamaged() throws {
    let device = try SoftwareTPM()
    let data = try device.tpm().perform { try $0.seal(value(1)) }.data
    #expect(data.count < 300)
    for count in 0..<data.count {
      #expect(refusal { try TPMObject(data.prefix(count)) }?.code == .damaged)
    }
    #expect(refusal { try TPMObject(data + [0]) }?.code == .damaged)
    #expect(refusal { try TPMObject(Data(count: 1025)) }?.code == .damaged)
    var later = data
    later[0] = 2
    #expect(refusal { try TPMObject(later) }?.code == .unsupportedVersion)
    var registers = data
    registers[1] = 1
    #expect(refusal { try TPMObject(registers) }?.code == .damaged)
  }

  /// The structure inside the areas is the library's to check.
  @Test func areasThatAreNotStructuresAreDamaged() throws {
    let device = try SoftwareTPM()
    for area in [[0, 0], [0, 4, 1, 2, 3, 4], [0, 2, 0, 8]] as [[UInt8]] {
      let object = try TPMObject(Data([1, 0, 0, 0, 0] + area + area))
      let error = refusal { try device.tpm().perform { try $0.unseal(object) } }
      #expect(error?.code == .damaged)
    }
  }

  @Test func namesThatAreNotSHA256AreDamaged() throws {
    for data in [Data(), Data(count: 34), Data([0, 0x0B]) + Data(count: 31)] {
      #expect(refusal { try TPMName(data) }?.code == .damaged)
    }
    #expect(try TPMName(Data([0, 0x0B]) + Data(count: 32)).data.count == 34)
  }
}
