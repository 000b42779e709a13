import AtRestTestSupport
import Foundation
import Testing

/// The key schedules for which memory is searched are those of FIPS-197.
@Suite struct AESKeyScheduleTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// Appendix A.3 of FIPS-197.
  @Test func theKeyIsExpandedAsTheStandardHasIt() {
    let key: [UInt8] = [
      0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77,
      0x81,
      0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf,
      0xf4,
    ]
    let forward = AESKeySchedule(key: key).forward
    #expect(forward[0] + forward[1] == key)
    #expect(hex(forward[2]) == "9ba354118e6925afa51a8b5f2067fcde")
    #expect(hex(forward[14]) == "fe4890d1e6188d0b046df344706c631e")
  }

  /// Appendix C.3 of FIPS-197, the equivalent inverse cipher.
  @Test func theScheduleOfDecryptionIsTheStandards() {
    let schedule = AESKeySchedule(key: Array(0..<32))
    #expect(hex(schedule.forward[14]) == "24fc79ccbf0979e9371ac23c6d68de36")
    #expect(hex(schedule.inverse[12]) == "34f1d1ffbfceaa2ffce9e25f2558016e")
    #expect(hex(schedule.inverse[0]) == "1a1f181d1e1b1c191217101516131411")
  }
}
