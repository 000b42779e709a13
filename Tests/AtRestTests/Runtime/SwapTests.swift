import AtRest
import Testing

@Suite struct SwapTests {
  private static func machine(_ places: String...) -> RuntimeEnvironment {
    .linux([
      "/proc/swaps": "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
        + places.map { "\($0)                               partition\t8388604\t0\t-2\n" }.joined(),
      "/sys/block/dm-1/dm/uuid": "CRYPT-LUKS2-0123-swap\n",
      "/sys/block/dm-2/dm/uuid": "LVM-0123\n",
    ])
  }

  @Test func plainSwapIsSeen() {
    for place in ["/dev/sda2", "/swapfile", "/dev/dm-2", "/dev/dm-3"] {
      let finding = Self.machine("/dev/zram0", place).only(.swap)
      #expect(finding.outcome == .found && finding.severity == .low)
      #expect(finding.message.contains("\(place),") && !finding.message.contains("zram"))
    }
  }

  @Test func encryptedAndCompressedSwapIsFine() {
    #expect(Self.machine().only(.swap).outcome == .clear)
    #expect(Self.machine("/dev/zram0", "/dev/dm-1").only(.swap).outcome == .clear)
  }

  @Test func withoutLockedMemoryItWeighsMore() {
    var environment = Self.machine("/dev/sda2")
    environment.lockedMemoryLimit = { 4096 }
    #expect(environment.only(.swap).severity == .medium)
    #expect(environment.only(.swap).message.contains("only 4096 bytes"))
    environment.user = { 0 }
    #expect(environment.only(.swap).severity == .low)
  }

  @Test func whatDoesNotTellIsNoPass() {
    #expect(Self.machine().refusing("/proc/swaps").only(.swap).outcome == .undetermined)
    #expect(RuntimeEnvironment().only(.swap).outcome == .undetermined)
  }
}
