import AtRest
import Foundation
import Testing

/// The literal that `atrest obfuscate` wrote.
private let sample = ObfuscatedBytes(
  seed: [
    0x7E, 0x19, 0xC7, 0x11, 0x01, 0x65, 0xDF, 0xA5, 0x70, 0x85, 0x1B, 0x97,
    0xEB, 0xCA, 0x71, 0x54,
  ],
  masked: [
    0x4B, 0x38, 0xDE, 0xBF, 0xB8, 0xCB, 0x63, 0x10, 0x4B, 0x00, 0x34, 0xC9,
    0xA9, 0x23, 0x92, 0x11, 0xF3, 0x26, 0x1F, 0xD5, 0x3B, 0x83, 0x89, 0xEA,
    0x27, 0x6E, 0x18, 0xB1, 0xFB,
  ])

// The controls: bytes that a search of the binary finds.
private let plainText: StaticString = "a-plain-literal-of-the-tests-which-is-found"
private let plainBytes: [UInt8] = [
  0x61, 0x6E, 0x2D, 0x61, 0x72, 0x72, 0x61, 0x79, 0x2D, 0x6F, 0x66, 0x2D, 0x70, 0x6C, 0x61, 0x69,
  0x6E, 0x2D, 0x62, 0x79, 0x74, 0x65, 0x73, 0x2D, 0x77, 0x68, 0x69, 0x63, 0x68, 0x2D, 0x69, 0x73,
  0x2D, 0x66, 0x6F, 0x75, 0x6E, 0x64, 0x2D, 0x74, 0x6F, 0x6F,
]

@Suite struct ObfuscatedBytesTests {
  // Written backwards, so these lines do not put the bytes into the binary.
  private let sampleBackwards = "stset-eht-fo-terces-laitrap-a"
  private let plainTextBackwards = "dnuof-si-hcihw-stset-eht-fo-laretil-nialp-a"
  private let plainBytesBackwards = "oot-dnuof-si-hcihw-setyb-nialp-fo-yarra-na"

  private func reversed(_ text: String) -> Data { Data(text.utf8.reversed()) }

  @Test func theLiteralGivesTheSecret() {
    #expect(Data(copying: sample.secret()) == reversed(sampleBackwards))
    #expect(sample.withSecret { Data(copying: $0) } == reversed(sampleBackwards))
  }

  @Test(arguments: [1, 31, 32, 33, 8160])
  func anyLengthComesBack(_ count: Int) throws {
    let secret = SecretBox(.random(count: count))
    let masked = try ObfuscatedBytes(masking: secret.bytes)
    #expect(isSame(SecretBox(masked.secret()), secret))
  }

  @Test(arguments: [0, 8161])
  func otherLengthsAreRefused(_ count: Int) {
    let secret = SecretBox(.random(count: count))
    #expect(throws: AtRestError.self) { _ = try ObfuscatedBytes(masking: secret.bytes) }
  }

  @Test func aLiteralIsAnotherEachTimeAndHoldsNoPlainByteRun() throws {
    let secret = SecretBox(SecretBytes(utf8: String(repeating: "A", count: 64)))
    let one = try ObfuscatedBytes.literal(masking: secret.bytes)
    let two = try ObfuscatedBytes.literal(masking: secret.bytes)
    #expect(one != two)
    // A shorter run might be masked to itself by chance. A line of the literal has twelve bytes.
    #expect(!one.contains("0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41"))
    // Equal bytes do not look equal when masked.
    #expect(Set(one.split(separator: ", ")).count > 32)
  }

  @Test func noDescriptionShowsTheSecret() {
    let secret = String(decoding: reversed(sampleBackwards), as: UTF8.self)
    var dumped = "\(sample) \(String(reflecting: sample))"
    dump(sample, to: &dumped)
    #expect(!dumped.contains(secret))
  }

  /// Returns the program files that may contain this test.
  private func binaries() -> [Data] {
    let paths =
      ["/proc/self/exe"] + CommandLine.arguments + Bundle.allBundles.compactMap(\.executablePath)
    return paths.filter { $0.contains(".xctest") || $0.hasPrefix("/proc") }
      .compactMap { try? Data(contentsOf: URL(fileURLWithPath: $0), options: .mappedIfSafe) }
  }

  @Test func theBinaryHoldsTheMaskedSecretNowhere() {
    // The values are used, so they are not optimised away.
    #expect(Data(copying: sample.secret()) == reversed(sampleBackwards))
    #expect(Data("\(plainText)".utf8) == reversed(plainTextBackwards))
    #expect(Data(plainBytes) == reversed(plainBytesBackwards))
    let binaries = binaries()
    #expect(!isFound(sampleBackwards, in: binaries))
    #expect(isFound(plainTextBackwards, in: binaries))
    #if !DEBUG
      // Without optimisation, code assembles an array at run time.
      #expect(isFound(plainBytesBackwards, in: binaries))
    #endif
  }

  private func isFound(_ backwards: String, in binaries: [Data]) -> Bool {
    let wanted = Array(backwards.utf8.reversed())
    return binaries.contains { binary in
      binary.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while rest.count >= wanted.count,
          let found = memchr(rest.baseAddressOfSlice, Int32(wanted[0]), rest.count)
        {
          let start = UnsafeRawPointer(found) - bytes.baseAddress!
          if bytes.count - start >= wanted.count, memcmp(found, wanted, wanted.count) == 0 {
            return true
          }
          rest = bytes[(start + 1)...]
        }
        return false
      }
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var baseAddressOfSlice: UnsafeRawPointer { base.baseAddress! + startIndex }
}
