// On Apple's platforms these calls would reach the system's keychain.
#if !canImport(Darwin)
  import AtRestKeybag
  import Foundation
  import Testing

  /// Programs that import `Security` and chose no keychain, and whose store was removed.
  @Suite struct RemovedStoreTests {
    private func run(_ scratch: Scratch) throws -> [String] {
      try Worker("services", scratch, "account", "app").finish().lines
    }

    private func isEmpty(_ scratch: Scratch) -> Bool {
      let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.store.path)
      return (names ?? []).allSatisfy { $0 == "lock" }
    }

    @Test func aRemovedStoreIsNotAvailableAndNotReplaced() throws {
      let scratch = try Scratch()
      #expect(try run(scratch) == ["0 0 app"])
      let away = scratch.folder.appendingPathComponent("away")
      try FileManager.default.moveItem(at: scratch.store, to: away)
      for _ in 0..<2 {
        #expect(try run(scratch) == ["-25291 -25291 -"])
        #expect(isEmpty(scratch))
      }
      // Control: after the store was restored, it has the item that was added.
      try? FileManager.default.removeItem(at: scratch.store)
      try FileManager.default.moveItem(at: away, to: scratch.store)
      #expect(try run(scratch) == ["-25299 0 app"])
    }

    /// Control: a device that remembers no store in the folder creates one.
    @Test func aFolderThatNothingIsRememberedOfGetsAStore() throws {
      let scratch = try Scratch()
      #expect(try run(scratch) == ["0 0 app"])
      try FileManager.default.removeItem(at: scratch.store)
      try FileManager.default.removeItem(at: scratch.device)
      #expect(try run(scratch) == ["0 0 app"])
    }

    @Test func anotherStoreInItsPlaceIsNotAvailable() throws {
      let scratch = try Scratch()
      #expect(try run(scratch) == ["0 0 app"])
      let other = scratch.folder.appendingPathComponent("other")
      _ = try Keybag.create(at: other, device: FileDeviceKey.openOrCreate(in: scratch.device))
      try FileManager.default.removeItem(at: scratch.store)
      try FileManager.default.moveItem(at: other, to: scratch.store)
      #expect(try run(scratch) == ["-25291 -25291 -"])
    }

    @Test func aStoreMadeOnPurposeIsUsed() throws {
      let scratch = try Scratch()
      #expect(try run(scratch) == ["0 0 app"])
      try FileManager.default.removeItem(at: scratch.store)
      #expect(try run(scratch) == ["-25291 -25291 -"])
      _ = try Keybag.create(
        at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
      #expect(try run(scratch) == ["0 0 app"])
    }

    @Test func aWipedStoreIsReplaced() throws {
      let scratch = try Scratch()
      #expect(try run(scratch) == ["0 0 app"])
      let device = try FileDeviceKey.openOrCreate(in: scratch.device)
      try Keybag.open(at: scratch.store, device: device).wipe()
      for name in ["keychain.db", "keychain.db-wal", "keychain.db-shm"] {
        try? FileManager.default.removeItem(at: scratch.store.appendingPathComponent(name))
      }
      #expect(try run(scratch) == ["0 0 app"])
    }
  }
#endif
