// On Apple's platforms these calls would reach the system's keychain.
#if !canImport(Darwin)
  import AtRestKeybag
  import Foundation
  import Testing

  /// A program that imports `Security` notices a wipe.
  @Suite struct ServicesBesideTests {
    private func answer(_ worker: Worker) throws -> String {
      try worker.go()
      return String(decoding: worker.available(), as: UTF8.self)
    }

    @Test func theStoreIsNotAvailableAfterAWipe() throws {
      let scratch = try Scratch()
      let worker = try Worker("services-witness", scratch)
      defer { worker.kill() }
      #expect(String(decoding: worker.available(), as: UTF8.self) == "0 0 app\n")
      // Control
      #expect(try answer(worker) == "0 0\n")
      try Keybag.open(at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
        .wipe()
      // errSecNotAvailable
      #expect(try answer(worker) == "-25291 -25291\n")
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.store.path)
      #expect(!names.contains("keychain.db"))
    }
  }
#endif
