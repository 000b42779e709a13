#if os(Linux)
  import AtRestCrypto
  import Foundation
  import Testing

  /// Secrets are in memory that is locked and left out of core dumps.
  @Suite struct LockedMemoryTests {
    /// Returns the flags of the mapping that contains an address: `VmFlags` of `/proc/self/smaps`.
    private func flags(of address: UnsafeRawPointer) throws -> [Substring] {
      let address = UInt(bitPattern: address)
      var isInside = false
      for line in try ProcFile.lines("smaps") {
        if let range = ProcFile.range(line) {
          isInside = range.contains(address)
        } else if isInside, line.hasPrefix("VmFlags:") {
          return Array(line.split(separator: " ").dropFirst())
        }
      }
      return []
    }

    @Test(arguments: [1, 32, 4_096, 300_000])
    func secretsAreLockedAndNotDumped(count: Int) throws {
      let secret = SecretBytes.random(count: count)
      let flags = try secret.withUnsafeBytes { try self.flags(of: $0.baseAddress!) }
      #expect(flags.contains("dd"), "Not left out of core dumps: \(flags).")
      // A system may allow too little locked memory. The library then reports it.
      #expect(flags.contains("lo") == true || !LockedMemory.isLocked, "Not locked: \(flags).")
    }

    // Control: ordinary memory has neither flag.
    @Test func ordinaryMemoryIsNot() throws {
      let data = Data(count: 300_000)
      let flags = try data.withUnsafeBytes { try self.flags(of: $0.baseAddress!) }
      #expect(!flags.isEmpty && !flags.contains("lo") && !flags.contains("dd"))
    }

    @Test func lockedMemoryIsCounted() throws {
      let secret = SecretBytes.random(count: 32)
      let line = try #require(ProcFile.lines("status").first { $0.hasPrefix("VmLck:") })
      let words = line.split { $0 == " " || $0 == "\t" }
      let kilobytes = words.compactMap { Int($0) }.first ?? 0
      #expect(kilobytes >= 64 || !LockedMemory.isLocked)
      #expect(secret.count == 32)
    }

    @Test func secretsOfSharedPagesDoNotOverlap() {
      let first = SecretBytes(Data(repeating: 1, count: 33))
      let second = SecretBytes(Data(repeating: 2, count: 33))
      let again = SecretBytes(Data(repeating: 3, count: 64))
      #expect(first.revealed == Data(repeating: 1, count: 33))
      #expect(second.revealed == Data(repeating: 2, count: 33))
      #expect(again.revealed == Data(repeating: 3, count: 64))
    }
  }
#endif
