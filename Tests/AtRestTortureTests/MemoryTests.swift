#if os(Linux)
  import AtRestCrypto
  import AtRestKeybag
  import AtRestKeychain
  import AtRestTestSupport
  import Foundation
  import GRDB
  import Testing

  /// The memory, stacks and registers of a process that used a store are searched from outside for
  /// keys, key schedules and secrets, after the lock and after the close.
  @Suite(.serialized) struct MemoryTests {
    /// The instructions that the libraries may use.
    enum Instructions: CaseIterable {
      case all, noAVX512, noAVX512InLibc, noAVX512InCryptography

      var environment: [String: String] {
        let libc = [
          "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD"
        ]
        // BoringSSL's mask of leaf 7: AVX-512 F, DQ, IFMA, CD, BW and VL.
        let cryptography = ["OPENSSL_ia32cap": "|0:~0xd0230000"]
        return switch self {
        case .all: [:]
        case .noAVX512: libc.merging(cryptography) { $1 }
        case .noAVX512InLibc: libc
        case .noAVX512InCryptography: cryptography
        }
      }
    }

    /// 108 runs in the long form (`make torture`).
    private static let runs = Worker.isFull ? 9 : 1

    @Test(arguments: Instructions.allCases, KnownSecrets.Length.allCases)
    func nothingIsLeftAfterLockAndClose(_ instructions: Instructions, _ last: KnownSecrets.Length)
      throws
    {
      for _ in 0..<Self.runs { try search(instructions, last) }
    }

    private func search(_ instructions: Instructions, _ last: KnownSecrets.Length) throws {
      let scratch = try Scratch()
      let passcode = RandomBytes.data(count: 32)
      let needles = try KnownSecrets(
        store: scratch.store, device: scratch.device, passcode: passcode
      ).needles
      let memory = SearchedMemory(needles)
      let worker = try Worker(
        program: "atrest-torture-worker",
        [
          "memory", scratch.store.path, scratch.device.path, last.rawValue,
          "\(needles.count * Needle.count)",
        ], environment: instructions.environment)
      defer { worker.kill() }
      var found: [String: [String: [String]]] = [:]
      for phase in ["start", "unlocked", "locked", "closed", "released"] {
        let said = String(decoding: worker.available(), as: UTF8.self)
        try #require(said == "\(phase)\n", "\(said)")
        found[phase] = try memory.found(in: worker.identifier)
        try worker.go()
        guard phase == "start" else { continue }
        try worker.write(passcode)
        try worker.write(Data(needles.flatMap(\.bytes)))
      }
      let (_, signal, status) = worker.finish()
      #expect(signal == 0 && status == 0)
      print(
        "memory, \(instructions), \(last) last: \(needles.count) needles; found "
          + ["start", "unlocked", "locked", "closed", "released"]
          .map { "\($0) \(found[$0]!.count)" }.joined(separator: ", "))
      #expect(found["start"] == [:])
      // Controls: every needle is found in memory, one of them in a register, and the keys that an
      // unlocked store holds are found once more.
      #expect(needles.filter { found["unlocked"]![$0.name] == nil }.map(\.name) == [])
      #expect(found["unlocked"]![needles[0].name]?.contains("registers") == true)
      for name in [
        "class.whenUnlocked/0", "metadata.whenUnlocked/0", "secret.whenUnlocked.middle/0",
      ] {
        #expect(found["unlocked"]![name]?.count ?? 0 > 1, "\(name)")
      }
      expect(found["locked"]!, only: Self.heldWhileLocked)
      expect(found["closed"]!, only: ["passcode/", "device-key/"])
      expect(found["released"]!, only: ["passcode/"])
    }

    /// The worker holds the passcode. After a lock, the keys that need no unlock or only the first
    /// one remain, and the keys of the device, on which they depend.
    private static let heldWhileLocked: [String] = {
      let stay = KeyClass.allCases.filter { $0.availability != .whenUnlocked }
      return ["passcode/", "device-key/", "effaceable/"]
        + stay.flatMap { keyClass in
          ["class", "metadata", "item-wrap"].map { "\($0).\(keyClass)/" }
        }
    }()

    /// Each piece of a held value may be in memory once, as it is. In a key schedule, in a register
    /// or a second time, it is a remnant.
    private func expect(_ found: [String: [String]], only held: [String]) {
      let remainders = found.filter { name, places in
        places.count > 1 || places == ["registers"] || !held.contains { name.hasPrefix($0) }
      }
      #expect(remainders == [:])
    }
  }
#endif
