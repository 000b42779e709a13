// On Apple's platforms these calls would reach the system's keychain.
#if !canImport(Darwin)
  import Foundation
  import Testing

  /// Programs that say `import Security` and chose no keychain.
  @Suite struct DefaultStoreTests {
    @Test func manyAtOnceMakeOneStore() throws {
      let scratch = try Scratch()
      let workers = try (0..<6).map { try Worker("services", scratch, "account-\($0)", "app") }
      for worker in workers { #expect(worker.finish().lines == ["0 0 app"]) }
      // All of them see one store, and another application sees none of it.
      #expect(
        try Worker("services", scratch, "account-3", "app").finish().lines == ["-25299 0 app"])
      #expect(try Worker("services", scratch, "account-3", "other").finish().lines == ["0 0 other"])
    }

    @Test func aStoreThatDoesNotOpenIsNotAvailableAndNotFoundEmpty() throws {
      let scratch = try Scratch()
      #expect(try Worker("services", scratch, "a", "app").finish().lines == ["0 0 app"])
      let keybag = scratch.store.appendingPathComponent("keybag")
      let whole = try Data(contentsOf: keybag)
      try whole.prefix(whole.count / 2).write(to: keybag)
      #expect(try Worker("services", scratch, "a", "app").finish().lines == ["-25291 -25291 -"])
      // Control: the file was all that was wrong.
      try whole.write(to: keybag)
      #expect(try Worker("services", scratch, "a", "app").finish().lines == ["-25299 0 app"])
    }
  }
#endif
