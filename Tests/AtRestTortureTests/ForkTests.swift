#if os(Linux)
  import Testing

  /// A forked child process has none of its parent's secrets.
  @Suite struct ForkTests {
    @Test func aChildHasZerosInPlaceOfSecrets() throws {
      let (said, signal, status) = try Worker("forked", Scratch()).finish()
      #expect(signal == 0 && status == 0, "\(said)")
      // Control: ordinary memory is copied, and the parent keeps its secrets.
      #expect(
        said == ["secret: zeros", "long secret: zeros", "ordinary: copied", "parent: kept"])
    }

    /// With keys of zeros, the child would store data that anyone can read, and that its parent
    /// finds damaged.
    @Test func aChildThatUsesItsParentsStoreEnds() throws {
      let scratch = try Scratch()
      #expect(try Worker("make", scratch).finish().status == 0)
      let (said, signal, status) = try Worker("forked-writer", scratch).finish()
      #expect(signal == 0 && status == 0, "\(said)")
      #expect(said == ["child: ended by a signal", "parent: kept, 1 item"])
    }
  }
#endif
