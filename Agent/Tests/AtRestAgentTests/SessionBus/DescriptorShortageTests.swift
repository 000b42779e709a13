import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// A process that the agent cannot look at for want of descriptors is not judged.
struct DescriptorShortageTests {
  @Test func fourOfACallerAndThirtyTwoOfAllArePlaces() {
    let descriptors = BusDescriptors()
    var places = (0..<8).flatMap { caller in
      (0..<4).compactMap { _ in descriptors.place(for: ":1.\(caller)") }
    }
    #expect(places.count == 32)
    #expect(descriptors.place(for: ":1.9") == nil)
    places.removeLast()
    #expect(descriptors.place(for: ":1.0") == nil)
    #expect(descriptors.place(for: ":1.9") != nil)
    places = []
    #expect(descriptors.place(for: ":1.0") != nil)
  }

  private final class Outcome: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  /// Runs a closure on a thread with a table of descriptors of its own, in which there is no place.
  private func withoutDescriptors(_ body: @escaping @Sendable () throws -> Void) throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    let symbol = try #require(dlsym(nil, "unshare"))
    let unshare = unsafeBitCast(symbol, to: Unshare.self)
    let result = Outcome()
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let filesFlag: Int32 = 0x400
        try #require(unshare(filesFlag) == 0)
        while dup(STDERR_FILENO) >= 0 {}
        try #require(errno == EMFILE)
        try body()
      } catch {
        result.error.withLock { $0 = error }
      }
      end.signal()
    }
    end.wait()
    if let error = result.error.withLock({ $0 }) { throw error }
  }

  @Test func aProcessOfASocketIsNotMisjudged() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (one, other) = (OpenDescriptor(ends[0]), OpenDescriptor(ends[1]))
    let before = try #require(SeenProcess(socket: one.number))
    #expect(!before.lacksDescriptors && before.program != nil)
    try withoutDescriptors {
      let seen = try #require(SeenProcess(socket: one.number))
      #expect(seen.lacksDescriptors)
      #expect(throws: DescriptorShortage.self) { try Peer(seen, digests: ProgramDigests()) }
      #expect(Peer(withoutWaiting: seen, digests: ProgramDigests()) == nil)
      // The same for a process that was seen before.
      #expect(throws: DescriptorShortage.self) { try Peer(before, digests: ProgramDigests()) }
    }
    #expect(try !Peer(before, digests: ProgramDigests()).evidence.isEmpty)
    withExtendedLifetime(other) {}
  }

  @Test func aProcessOfABusIsNotMisjudged() throws {
    let file = OpenDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
    let credentials = BusCredentials(
      user: geteuid(), process: getpid(), label: [], descriptor: file)
    _ = try SeenProcess(credentials)
    try withoutDescriptors {
      #expect(throws: DescriptorShortage.self) { try SeenProcess(credentials) }
    }
  }
}
