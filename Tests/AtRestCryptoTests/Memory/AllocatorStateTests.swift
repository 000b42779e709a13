#if os(Linux)
  import AtRestCrypto
  import Foundation
  import Glibc
  import Synchronization
  import Testing

  /// Copies of a key that a library frees are erased, whatever blocks the allocator has.
  ///
  /// glibc has a cache of seven freed blocks of each size per thread. If it is empty, a request is
  /// served from lists that all threads share, and fills the cache with further blocks from there. A
  /// block that is freed then goes to the lists, because the cache is full.
  @Suite(.serialized) struct AllocatorStateTests {
    enum Operation: CaseIterable {
      case authentication, derivation, sealing, wrapping

      /// The sizes of the blocks that swift-crypto frees without overwriting them.
      var sizes: [Int] {
        switch self {
        case .authentication: [96, 112]
        case .derivation: [128, 144]
        case .sealing: [592]
        case .wrapping: [260]
        }
      }

      func run(_ key: borrowing SecretBytes) throws {
        let message = Data("message".utf8)
        switch self {
        case .authentication: _ = key.authenticationCode(for: message)
        case .derivation: _ = key.derive(Purpose("atrest.test.derivation.v1"))
        case .sealing:
          _ = try SealingKey(key.duplicate()).seal(SecretBytes(utf8: "message"), context: message)
        case .wrapping: _ = try WrappingKey(key.duplicate()).wrap(SecretBytes.random(count: 32))
        }
      }
    }

    /// Fills the shared lists with blocks of a size, and empties or fills this thread's cache of them.
    private func spread(_ size: Int, fillsCache: Bool = false) {
      var blocks: [UnsafeMutableRawPointer?] = []
      blocks.reserveCapacity(64)
      // A block in use between two others keeps them from being joined.
      for _ in 0..<64 { blocks.append(malloc(size)) }
      for index in stride(from: 0, to: 64, by: 2) { free(blocks[index]) }
      // A request for a large block sorts the lists.
      free(malloc(5_000))
      let cached = (0..<7).map { _ in malloc(size) }
      if fillsCache { for block in cached { free(block) } }
    }

    @Test(arguments: Operation.allCases) func copiesAreErased(after operation: Operation)
      async throws
    {
      // A thread of its own, whose cache no other test fills.
      let found: Int = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              let scanner = try MemoryScanner()
              let key = SecretBytes.random(count: 32)
              key.withUnsafeBytes { scanner.look(for: $0) }
              var found = 0
              for (size, fillsCache) in operation.sizes.flatMap({ [($0, false), ($0, true)] }) {
                spread(size, fillsCache: fillsCache)
                try operation.run(key)
                // The key itself is one.
                found = max(found, scanner.occurrences() - 1)
              }
              return found
            })
        }
      }
      #expect(found == 0)
    }

    /// The block of a derived key is a quarter larger than the key.
    @Test(arguments: [80, 96]) func derivedKeysAreErased(from size: Int) async throws {
      let found: Int = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              let scanner = try MemoryScanner()
              let kdf = PasswordKDF.unchecked(.pbkdf2SHA512, cost: 1_000)
              let password = SecretBytes.random(count: 8)
              let salt = RandomBytes.data(count: 16)
              let key = try kdf.deriveKey(from: password, salt: salt, count: 64)
              key.withUnsafeBytes { scanner.look(for: $0) }
              spread(size)
              let again = try kdf.deriveKey(from: password, salt: salt, count: 64)
              // The two keys themselves, the last 32 bytes of which are searched.
              let found = scanner.occurrences() - 2
              return again.isEqual(to: key) ? found : -1
            })
        }
      }
      #expect(found == 0)
    }

    /// Other threads take blocks of the same size from the lists, and put theirs before a freed one.
    @Test func derivedKeysAreErasedBesideOtherThreads() async throws {
      let isDone = Atomic(false)
      // More threads than the allocator has sets of lists.
      let others = (0..<9 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
        Thread {
          var blocks: [UnsafeMutableRawPointer?] = Array(repeating: nil, count: 16)
          while !isDone.load(ordering: .relaxed) {
            for index in blocks.indices { blocks[index] = malloc(80) }
            for block in blocks { free(block) }
          }
        }
      }
      for other in others { other.start() }
      defer { isDone.store(true, ordering: .relaxed) }
      let found: Int = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              let scanner = try MemoryScanner()
              let kdf = PasswordKDF.unchecked(.pbkdf2SHA512, cost: 1)
              let password = SecretBytes.random(count: 8)
              let salt = RandomBytes.data(count: 16)
              let key = try kdf.deriveKey(from: password, salt: salt, count: 64)
              key.withUnsafeBytes { scanner.look(for: $0) }
              for _ in 0..<5_000 {
                _ = try kdf.deriveKey(from: password, salt: salt, count: 64).count
              }
              return scanner.occurrences() - 1
            })
        }
      }
      #expect(found == 0)
    }
  }
#endif
